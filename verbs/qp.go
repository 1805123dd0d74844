package verbs

import (
	"fmt"
	"sync/atomic"

	"ibtour/verbs/trace"
)

// QPConfig says what kind of queue pair to create (struct ibv_qp_init_attr).
type QPConfig struct {
	SendCQ *CQ
	RecvCQ *CQ
	Cap    QPCap
	Type   QPType // the zero value is not legal
	SigAll bool   // every send reports success, signaled or not
}

// QP is a queue pair (struct ibv_qp): a send queue, a receive queue and the
// state of the connection between them and a peer.
type QP struct {
	pd     *PD
	h      Handle
	num    QPN
	typ    QPType
	cap    QPCap
	sendCQ *CQ
	recvCQ *CQ
	state  QPState // last known
	closed bool

	sends, recvs         atomic.Uint64 // posted
	sendsDone, recvsDone atomic.Uint64 // completed, as far as polled
	sendID, recvID       atomic.Uint64 // wr_id last posted
}

// CreateQP creates a queue pair in RESET (ibv_create_qp). EINVAL: more than
// the device can. EOPNOTSUPP: it does not have that type.
func (p *PD) CreateQP(cfg QPConfig) (*QP, error) {
	if p.closed {
		return nil, closedError("ibv_create_qp", p)
	}
	for _, cq := range []*CQ{cfg.SendCQ, cfg.RecvCQ} {
		if cq.closed {
			return nil, closedError("ibv_create_qp", cq)
		}
	}
	q := &QP{pd: p, typ: cfg.Type, sendCQ: cfg.SendCQ, recvCQ: cfg.RecvCQ}
	init := &QPInit{
		PD: p.h, SendCQ: cfg.SendCQ.h, RecvCQ: cfg.RecvCQ.h, Cap: cfg.Cap, Type: cfg.Type, SigAll: cfg.SigAll,
	}
	args := []trace.Arg{{Name: "pd", Value: "pd"}, {Name: "qp_init_attr", Fields: cfg.fields()}}
	err := p.ctx.call("ibv_create_qp", cfg.Type.String(), args, func() (string, error) {
		h, n, granted, err := p.ctx.dc.CreateQP(init)
		if err != nil {
			return "NULL", err
		}
		q.h, q.num, q.cap = h, n, granted
		return fmt.Sprintf("qp {qp_num %v}", n), nil
	})
	if err != nil {
		return nil, err
	}
	q.sendCQ.attach(q)
	q.recvCQ.attach(q)
	p.ctx.family.add(q)
	return q, nil
}

func (c *QPConfig) fields() []trace.Arg {
	return []trace.Arg{
		{Name: "send_cq", Value: c.SendCQ.String()},
		{Name: "recv_cq", Value: c.RecvCQ.String()},
		{Name: "cap", Fields: c.Cap.fields()},
		{Name: "qp_type", Value: c.Type.String()},
		{Name: "sq_sig_all", Value: boolText(c.SigAll)},
	}
}

// Num returns the number that peers address the queue pair by.
func (q *QP) Num() QPN { return q.num }

// Type returns the transport service.
func (q *QP) Type() QPType { return q.typ }

// Cap returns the capacity granted at creation.
func (q *QP) Cap() QPCap { return q.cap }

// String returns "QP 0x000011".
func (q *QP) String() string { return "QP " + q.num.String() }

// Modify moves the queue pair to another state or changes its attributes
// (ibv_modify_qp). EINVAL: the move is not legal, an attribute is missing or
// wrong; the hint says which if the table of CheckTransition knows. ETIMEDOUT:
// the peer's address could not be resolved.
func (q *QP) Modify(attr QPAttr, mask AttrMask) error {
	from, to, object := q.state, q.state, q.String()
	if mask&AttrState != 0 {
		to = attr.State
		object += " " + Arrow(from, to)
	}
	args := []trace.Arg{
		{Name: "qp", Value: q.String()},
		{Name: "attr", Fields: attr.Fields(mask)},
		{Name: "attr_mask", Value: mask.String()},
	}
	err := q.call("ibv_modify_qp", object, args, func() (string, error) {
		return zero(q.pd.ctx.dc.ModifyQP(q.h, &attr, mask))
	})
	if err != nil {
		return hintTransition(err, CheckTransition(q.typ, from, to, mask))
	}
	if mask&AttrState != 0 {
		q.moved(attr.State)
	}
	return nil
}

// call makes a call on the queue pair.
func (q *QP) call(op, object string, args []trace.Arg, do func() (string, error)) error {
	if q.closed {
		return closedError(op, q)
	}
	return q.pd.ctx.call(op, object, args, do)
}

// hintTransition adds to a refusal by the device what the table says of it.
func hintTransition(err, rule error) error {
	if verr, ok := err.(*Error); ok && rule != nil && verr.Hint == "" { //nolint:errorlint // made by wrap just now
		verr.Hint = rule.Error()
	}
	return err
}

// moved is the one door through which a queue pair changes state.
func (q *QP) moved(to QPState) {
	from := q.state
	q.state = to
	if to == QPSReset {
		q.sendsDone.Store(q.sends.Load())
		q.recvsDone.Store(q.recvs.Load())
	}
	if t := q.pd.ctx.tracer; t != nil && from != to {
		t.Emit(trace.StateChange{QPN: uint32(q.num), From: from.Short(), To: to.Short()})
	}
}

// Query returns attributes of the queue pair (ibv_query_qp). The mask is a
// hint: a device may return more.
func (q *QP) Query(mask AttrMask) (QPAttr, error) {
	var attr QPAttr
	args := []trace.Arg{
		{Name: "qp", Value: q.String()},
		{Name: "attr", Value: "&attr"},
		{Name: "attr_mask", Value: mask.String()},
		{Name: "init_attr", Value: "&init_attr"},
	}
	err := q.call("ibv_query_qp", q.String(), args, func() (string, error) {
		a, err := q.pd.ctx.dc.QueryQP(q.h, mask)
		attr = a
		return zero(err)
	})
	return attr, err
}

// Peek is Query for an observer: the tracer does not see the call, only a
// change of state it may discover.
func (q *QP) Peek(mask AttrMask) (QPAttr, error) {
	if q.closed {
		return QPAttr{}, ErrClosed
	}
	attr, err := q.pd.ctx.dc.QueryQP(q.h, mask|AttrState)
	if err == nil && attr.State != q.state {
		q.moved(attr.State)
	}
	return attr, wrap("ibv_query_qp", q.String(), err)
}

// Queues counts the work requests of a queue pair.
type Queues struct {
	Sends, SendsDone uint64 // posted to the send queue; of these, completion seen
	Recvs, RecvsDone uint64 // posted to the receive queue; of these, completion seen
}

// Queues returns what this program has posted and polled so far. A posted
// work request may have been completed by the adapter without having been
// polled yet: that cannot be seen without taking the completion.
func (q *QP) Queues() Queues {
	return Queues{
		Sends: q.sends.Load(), SendsDone: q.sendsDone.Load(),
		Recvs: q.recvs.Load(), RecvsDone: q.recvsDone.Load(),
	}
}

// PostSend hands a work request to the send queue (ibv_post_send). ENOMEM:
// the queue is full. EINVAL: the queue pair is not in RTS, or the request
// asks for more than it was created for. No allocation is made without a tracer.
func (q *QP) PostSend(wr *SendWR) error {
	if q.pd.ctx.tracer != nil {
		args := []trace.Arg{
			{Name: "qp", Value: q.String()}, {Name: "wr", Fields: wr.fields()}, {Name: "bad_wr", Value: "&bad_wr"},
		}
		return q.call("ibv_post_send", q.String(), args, func() (string, error) { return zero(q.postSend(wr)) })
	}
	if q.closed {
		return ErrClosed
	}
	return wrap("ibv_post_send", "", q.postSend(wr))
}

func (q *QP) postSend(wr *SendWR) error {
	err := q.pd.ctx.dc.PostSend(q.h, wr)
	if err == nil {
		q.sends.Add(1)
		q.sendID.Store(wr.WRID)
	}
	return err
}

// PostRecv hands a buffer to the receive queue (ibv_post_recv). ENOMEM: the
// queue is full. EINVAL: the queue pair is in RESET. No allocation is made
// without a tracer.
func (q *QP) PostRecv(wr *RecvWR) error {
	if q.pd.ctx.tracer != nil {
		args := []trace.Arg{
			{Name: "qp", Value: q.String()}, {Name: "wr", Fields: wr.fields()}, {Name: "bad_wr", Value: "&bad_wr"},
		}
		return q.call("ibv_post_recv", q.String(), args, func() (string, error) { return zero(q.postRecv(wr)) })
	}
	if q.closed {
		return ErrClosed
	}
	return wrap("ibv_post_recv", "", q.postRecv(wr))
}

func (q *QP) postRecv(wr *RecvWR) error {
	err := q.pd.ctx.dc.PostRecv(q.h, wr)
	if err == nil {
		q.recvs.Add(1)
		q.recvID.Store(wr.WRID)
	}
	return err
}

// completed books a completion.
func (q *QP) completed(cq *CQ, wc *WC) {
	if q.isRecv(cq, wc) {
		q.recvsDone.Add(1)
	} else {
		q.sendsDone.Add(1)
	}
}

// isRecv tells a completion of the receive queue. One with an error does not
// say which queue it came from: the completion queue does where each has its
// own, a queue with nothing posted cannot be it, and then the wr_id decides.
func (q *QP) isRecv(cq *CQ, wc *WC) bool {
	if wc.Status == WCSuccess {
		return wc.Opcode&WCRecv != 0
	}
	n := q.Queues()
	switch {
	case q.sendCQ != q.recvCQ:
		return cq == q.recvCQ
	case n.SendsDone >= n.Sends:
		return true
	case n.RecvsDone >= n.Recvs:
		return false
	}
	return wc.WRID == q.recvID.Load()
}

// Close destroys the queue pair (ibv_destroy_qp). What was posted is dropped
// without a completion. A second Close does nothing.
func (q *QP) Close() error {
	err := q.pd.ctx.destroy(q, &q.closed, "ibv_destroy_qp", "qp", func() error { return q.pd.ctx.dc.DestroyQP(q.h) })
	if err == nil {
		q.sendCQ.detach(q)
		q.recvCQ.detach(q)
	}
	return err
}

func (q *QP) parents() []object { return []object{q.pd, q.sendCQ, q.recvCQ} }
