package verbstest

import (
	"context"
	"errors"
	"time"

	"ibtour/verbs"
)

// eventCases: completion channels (facts sheet 2, section 10) and the send
// queue drained.
var eventCases = []behaviour{
	{"event", checkEvent},
	{"event is one shot", checkOneShot},
	{"solicited only", checkSolicited},
	{"errors are solicited", checkErrorEvent},
	{"send queue drained", checkDrained},
}

func withChannel(c *Config) { c.Channel = true }

// event waits for an event of a queue, or checks that there is none.
func (s *suite) event(n *Node, want *verbs.CQ) {
	s.Helper()
	limit := patience
	if want == nil {
		limit = 20 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cq, err := n.Ch.GetEvent(ctx)
	switch {
	case want == nil && !errors.Is(err, context.DeadlineExceeded):
		s.Errorf("unexpected event of %v (%v)", cq, err)
	case want != nil && cq != want:
		s.Errorf("event of %v (%v), want one of %v", cq, err, want)
	}
}

func checkEvent(s *suite) {
	a, b := s.pair(withChannel)
	for i := range uint64(3) {
		s.works("req_notify_cq", b.RecvCQ.ReqNotify(false))
		b.Recv(i, 0, 8)
		a.Send(i, 0, 8)
		s.event(b, b.RecvCQ)
		b.Want(b.RecvCQ, i, verbs.WCSuccess)
	}
	if got := b.RecvCQ.Unacked(); got != 3 {
		s.Errorf("%d events to acknowledge, want 3", got)
	}
	s.works("ack_cq_events", b.RecvCQ.AckEvents())
}

func checkOneShot(s *suite) {
	a, b := s.pair(withChannel)
	s.works("req_notify_cq", b.RecvCQ.ReqNotify(false))
	for i := range uint64(2) {
		b.Recv(i, 0, 8)
		a.Send(i, 0, 8)
		a.Want(a.SendCQ, i, verbs.WCSuccess)
	}
	s.event(b, b.RecvCQ)
	s.event(b, nil)
	// Nor does arming it again, while both completions are still there.
	s.works("req_notify_cq", b.RecvCQ.ReqNotify(false))
	b.Recv(2, 0, 8)
	a.Send(2, 0, 8)
	s.event(b, b.RecvCQ)
}

func checkSolicited(s *suite) {
	a, b := s.pair(withChannel)
	s.works("req_notify_cq", b.RecvCQ.ReqNotify(true))
	b.Recv(1, 0, 8)
	b.Recv(2, 0, 8)
	a.Send(1, 0, 8)
	a.Want(a.SendCQ, 1, verbs.WCSuccess)
	s.event(b, nil)
	a.Post(verbs.SendWR{
		WRID: 2, SGList: a.SGE(0, 8), Opcode: verbs.WRSend, Flags: verbs.SendSignaled | verbs.SendSolicited,
	})
	s.event(b, b.RecvCQ)
}

func checkErrorEvent(s *suite) {
	a, _ := s.pair(withChannel)
	s.works("req_notify_cq", a.RecvCQ.ReqNotify(true))
	a.Recv(1, 0, 8)
	a.Modify(verbs.QPSErr, 0, nil)
	s.event(a, a.RecvCQ)
	a.Want(a.RecvCQ, 1, verbs.WCWRFlushErr)
}

// checkDrained: a send queue in SQD finishes what was begun, says so, and holds
// what is posted later. rxe says so or not depending on the moment, and does
// not repeat what got an RNR NAK before; measured in the lab.
func checkDrained(s *suite) {
	a, b := s.pair()
	if s.caps.RXE {
		b.Recv(1, 0, 8)
		a.Send(1, 0, 8)
		a.Want(a.SendCQ, 1, verbs.WCSuccess)
	} else {
		a.Send(1, 0, 8) // under way for as long as no receive is posted
	}
	attr := verbs.QPAttr{State: verbs.QPSSQD, EnSQDAsyncNotify: true}
	s.works("modify_qp", a.QP.Modify(attr, verbs.AttrState|verbs.AttrEnSQDAsyncNotify))
	if !s.caps.RXE {
		b.Recv(1, 0, 8)
		s.drained(a)
		a.Want(a.SendCQ, 1, verbs.WCSuccess)
	}
	b.Recv(2, 0, 8)
	b.Recv(3, 0, 8)
	a.Send(2, 0, 8) // held
	a.None(a.SendCQ)
	a.Modify(verbs.QPSRTS, 0, nil)
	if s.caps.RXE { // it goes on with the next post only; measured in the lab
		a.None(a.SendCQ)
		a.Send(3, 0, 8)
	}
	a.Want(a.SendCQ, 2, verbs.WCSuccess)
}

// drained waits for IBV_EVENT_SQ_DRAINED.
func (s *suite) drained(n *Node) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		ev, err := n.Ctx.GetAsyncEvent(ctx)
		s.works("get_async_event", err)
		n.Ctx.AckAsyncEvent(ev)
		if ev.Type == verbs.EventSQDrained {
			return
		}
		if ev.Type != verbs.EventCommEst {
			s.Fatalf("event %v", ev.Type)
		}
	}
}
