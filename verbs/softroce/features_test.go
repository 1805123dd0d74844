package softroce_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
	"ibtour/verbs/wire"
)

// event takes the next asynchronous event of a node.
func event(t *testing.T, n *verbstest.Node) verbs.AsyncEvent {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	ev, err := n.Ctx.GetAsyncEvent(ctx)
	if err != nil {
		t.Fatal(err)
	}
	n.Ctx.AckAsyncEvent(ev)
	return ev
}

func bubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func TestAsyncEvents(t *testing.T) {
	write := func(a, b *verbstest.Node, key verbs.RKey) {
		a.Post(verbs.SendWR{
			WRID: 1, SGList: a.SGE(0, 8), Opcode: verbs.WRRDMAWrite, RemoteAddr: b.Buf.Addr(), RKey: key,
		})
	}
	bubble(t, "remote access", func(t *testing.T) {
		t.Helper()
		a, b := verbstest.Pair(t, softroce.New(softroce.Options{}), verbstest.Config{})
		write(a, b, b.MR.RKey()+1)
		if ev := event(t, b); ev.Type != verbs.EventQPAccessErr || ev.QPN != b.QP.Num() {
			t.Errorf("event %+v", ev)
		}
	})
	bubble(t, "invalid request", func(t *testing.T) {
		t.Helper()
		a, b := verbstest.Pair(t, softroce.New(softroce.Options{}), verbstest.Config{Access: verbs.AccessLocalWrite})
		write(a, b, b.MR.RKey())
		if ev := event(t, b); ev.Type != verbs.EventQPReqErr {
			t.Errorf("event %+v", ev)
		}
	})
	bubble(t, "communication established", func(t *testing.T) {
		t.Helper()
		ctx := verbstest.Open(t, softroce.New(softroce.Options{}), "")
		a, b := verbstest.NewNode(t, ctx, verbstest.Config{}), verbstest.NewNode(t, ctx, verbstest.Config{})
		a.Connect(b)
		b.Modify(verbs.QPSInit, verbstest.InitMask, nil)
		b.Recv(1, 0, 8)
		b.Recv(2, 0, 8)
		b.Modify(verbs.QPSRTR, verbstest.RTRMask, a)
		a.Send(1, 0, 8)
		a.Send(2, 0, 8)
		b.Want(b.RecvCQ, 1, ok)
		b.Want(b.RecvCQ, 2, ok) // RTR serves requests
		if ev := event(t, b); ev.Type != verbs.EventCommEst {
			t.Errorf("event %+v", ev)
		}
	})
}

const ok = verbs.WCSuccess

func TestCompletionQueueOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := verbstest.Pair(t, softroce.New(softroce.Options{}), verbstest.Config{CQE: 2})
		for i := range uint64(3) {
			b.Recv(i, 0, 8)
			a.Post(verbs.SendWR{SGList: a.SGE(0, 8), Opcode: verbs.WRSend})
		}
		if ev := event(t, b); ev.Type != verbs.EventCQErr {
			t.Errorf("event %+v", ev)
		}
		if ev := event(t, b); ev.Type != verbs.EventQPFatal || ev.QPN != b.QP.Num() {
			t.Errorf("event %+v", ev)
		}
		attr, err := b.QP.Query(verbs.AttrState)
		if err != nil || attr.State != verbs.QPSErr {
			t.Errorf("state %v, %v", attr.State, err)
		}
		b.Want(b.RecvCQ, 0, ok) // what came before is still there
		b.Want(b.RecvCQ, 1, ok)
		b.None(b.RecvCQ)
	})
}

func TestPinnedLimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit int64
		want  []error
	}{
		{"two pages", 8192, []error{nil, nil, syscall.ENOMEM}},
		{"none allowed", -1, []error{syscall.EPERM}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := verbstest.Open(t, softroce.New(softroce.Options{MaxPinned: c.limit}), "")
			pd, err := ctx.AllocPD()
			if err != nil {
				t.Fatal(err)
			}
			buf, err := verbs.AllocBuffer(1) // a byte takes a page
			if err != nil {
				t.Fatal(err)
			}
			var last *verbs.MR
			for i, want := range c.want {
				mr, err := pd.RegMR(buf, 0)
				if !errors.Is(err, want) {
					t.Errorf("region %d: %v, want %v", i, err, want)
				}
				if err == nil {
					last = mr
				}
			}
			if last == nil {
				return
			}
			if err := last.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := pd.RegMR(buf, 0); err != nil {
				t.Errorf("after deregistration: %v", err)
			}
		})
	}
}

func TestWhatSoft0Lacks(t *testing.T) {
	n := verbstest.NewNode(t, verbstest.Open(t, softroce.New(softroce.Options{}), ""), verbstest.Config{})
	for _, typ := range []verbs.QPType{verbs.QPTUC, verbs.QPTUD, verbs.QPTRawPacket, verbs.QPTXRCSend} {
		_, err := n.PD.CreateQP(verbs.QPConfig{SendCQ: n.SendCQ, RecvCQ: n.RecvCQ, Type: typ})
		if !errors.Is(err, syscall.EOPNOTSUPP) {
			t.Errorf("%v: %v", typ, err)
		}
	}
	for _, f := range []verbs.AccessFlags{verbs.AccessMWBind, verbs.AccessZeroBased, verbs.AccessOnDemand} {
		if _, err := n.PD.RegMR(n.Buf, f); !errors.Is(err, syscall.EOPNOTSUPP) {
			t.Errorf("%v: %v", f, err)
		}
	}
	if n.QP.Num() <= 0xFFFF {
		t.Errorf("queue pair number %v fits in 16 bits", n.QP.Num())
	}
}

// TestPathMTU: a path MTU above the port's is refused, but not by rxe.
func TestPathMTU(t *testing.T) {
	for _, c := range []struct {
		quirks softroce.Quirks
		want   error
	}{{softroce.QuirksNone, syscall.EINVAL}, {softroce.QuirksRXE, nil}} {
		ctx := verbstest.Open(t, softroce.New(softroce.Options{Quirks: c.quirks}), "")
		n := verbstest.NewNode(t, ctx, verbstest.Config{})
		n.Modify(verbs.QPSInit, verbstest.InitMask, nil)
		attr := n.DefaultAttr(n)
		attr.State, attr.PathMTU = verbs.QPSRTR, verbs.MTU2048
		if err := n.QP.Modify(attr, verbstest.RTRMask|verbs.AttrState); !errors.Is(err, c.want) {
			t.Errorf("quirks %v: %v, want %v", c.quirks, err, c.want)
		}
	}
}

// TestPortTaken: the error says who may have the port.
func TestPortTaken(t *testing.T) {
	squatter, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.3:4791")))
	if err != nil {
		t.Fatal(err)
	}
	defer squatter.Close()
	n := verbstest.NewNode(t, verbstest.Open(t, onAddr("127.0.0.3"), ""), verbstest.Config{})
	n.Modify(verbs.QPSInit, verbstest.InitMask, nil)
	attr := n.DefaultAttr(n)
	attr.State = verbs.QPSRTR
	attr.AH.GRH.DGID = verbs.GIDOf(netip.MustParseAddr("127.0.0.4"))
	err = n.QP.Modify(attr, verbstest.RTRMask|verbs.AttrState)
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.Contains(err.Error(), "rxe driver owns it in this network namespace") {
		t.Errorf("error %v", err)
	}
}

// TestNoRoute: from the loopback interface there is no way out.
func TestNoRoute(t *testing.T) {
	n := verbstest.NewNode(t, verbstest.Open(t, onAddr("127.0.0.1"), ""), verbstest.Config{})
	n.Modify(verbs.QPSInit, verbstest.InitMask, nil)
	attr := n.DefaultAttr(n)
	attr.State = verbs.QPSRTR
	attr.AH.GRH.DGID = verbs.GIDOf(netip.MustParseAddr("192.0.2.77"))
	err := n.QP.Modify(attr, verbstest.RTRMask|verbs.AttrState)
	var verr *verbs.Error
	if !errors.As(err, &verr) {
		t.Fatalf("error %v", err)
	}
}

// lastACK is a link that loses the first acknowledgements.
type lastACK struct{ lose int }

func (l *lastACK) Carry(b []byte, deliver func(b []byte, after time.Duration)) {
	if p, err := wire.Parse(b); err == nil && p.Opcode == wire.OpAck && l.lose > 0 {
		l.lose--
		return
	}
	deliver(b, 0)
}

// TestLastACKSurvivesTheQueuePair: the receiver is destroyed at once, and its
// acknowledgement was lost.
func TestLastACKSurvivesTheQueuePair(t *testing.T) {
	bubble(t, "one timeout", func(t *testing.T) {
		t.Helper()
		lastAck(t, 1, verbs.WCSuccess)
	})
	bubble(t, "not for ever", func(t *testing.T) {
		t.Helper()
		lastAck(t, 3, verbs.WCRetryExcErr)
	})
}

func lastAck(t *testing.T, lose int, want verbs.WCStatus) {
	t.Helper()
	drv := softroce.New(softroce.Options{Hook: &lastACK{lose: lose}})
	a, b := verbstest.Pair(t, drv, verbstest.Config{})
	b.Recv(1, 0, 8)
	a.Send(2, 0, 8)
	b.Want(b.RecvCQ, 1, verbs.WCSuccess)
	if err := b.QP.Close(); err != nil {
		t.Fatal(err)
	}
	a.Want(a.SendCQ, 2, want)
}

// TestSilentProgramAcknowledges: nobody polls or waits at the receiver.
func TestSilentProgramAcknowledges(t *testing.T) {
	a, b := verbstest.PairAcross(t, onAddr("127.0.0.1"), onAddr("127.0.0.2"), verbstest.Config{})
	for i := range uint64(50) {
		b.Recv(i, 0, 8)
	}
	for i := range uint64(50) {
		a.Send(i, 0, 8)
		a.Want(a.SendCQ, i, verbs.WCSuccess)
	}
}

// TestPeekWhileWritten looks at the memory of a receiver all the time while
// messages of one packet come over the network, written by a goroutine of the
// device: each is seen whole or not at all. The race detector would not tell, it
// does not watch memory outside the Go heap.
func TestPeekWhileWritten(t *testing.T) {
	a, b := verbstest.PairAcross(t, onAddr("127.0.0.1"), onAddr("127.0.0.2"), verbstest.Config{})
	const size, messages = 1024, 300
	looked, stop := make(chan []byte, 1), make(chan struct{})
	go func() {
		seen := make([]byte, size)
		for first := true; ; first = false {
			if _, err := b.MR.Peek(seen, 0); err != nil || bytes.Count(seen, seen[:1]) != size {
				looked <- seen
				return
			}
			if first {
				looked <- nil
			}
			select {
			case <-stop:
				looked <- nil
				return
			default:
			}
		}
	}()
	<-looked // it is at it
	for i := range uint64(messages) {
		copy(a.Buf.Bytes(), bytes.Repeat([]byte{byte(i%100 + 1)}, size))
		b.Recv(i, 0, size)
		a.Send(i, 0, size)
		a.Want(a.SendCQ, i, verbs.WCSuccess)
		b.Want(b.RecvCQ, i, verbs.WCSuccess)
	}
	close(stop)
	if torn := <-looked; torn != nil {
		t.Errorf("half a message was seen: % x", torn)
	}
}

func TestTwoContextsAreOneDevice(t *testing.T) {
	d := softroce.New(softroce.Options{})
	a, b := verbstest.PairAcross(t, d, d, verbstest.Config{})
	b.Recv(1, 0, 8)
	a.Send(2, 0, 8)
	a.Want(a.SendCQ, 2, verbs.WCSuccess)
	b.Want(b.RecvCQ, 1, verbs.WCSuccess)
}

// TestCloseDestroysTheRest goes below the rules of package verbs, as a program
// that is killed does.
func TestCloseDestroysTheRest(t *testing.T) {
	drv := softroce.New(softroce.Options{})
	list, err := drv.DeviceList()
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := list.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	pd, err := ctx.AllocPD()
	if err != nil {
		t.Fatal(err)
	}
	ch, _, err := ctx.CreateCompChannel()
	if err != nil {
		t.Fatal(err)
	}
	cq, _, err := ctx.CreateCQ(1, ch, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := ctx.CreateQP(&verbs.QPInit{PD: pd, SendCQ: cq, RecvCQ: cq, Type: verbs.QPTRC}); err != nil {
		t.Fatal(err)
	}
	if err := ctx.Close(); err != nil {
		t.Error(err)
	}
	if err := ctx.DeallocPD(pd); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("dealloc_pd after close: %v", err)
	}
}

// TestDestroyWaitsForAcknowledgements: ibv_destroy_cq does not return before
// every event taken is acknowledged.
func TestDestroyWaitsForAcknowledgements(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, err := softroce.New(softroce.Options{}).DeviceList()
		if err != nil {
			t.Fatal(err)
		}
		ctx, err := list.Open(0)
		if err != nil {
			t.Fatal(err)
		}
		defer ctx.Close()
		pd, _ := ctx.AllocPD()
		ch, _, _ := ctx.CreateCompChannel()
		cq, _, _ := ctx.CreateCQ(4, ch, 0)
		qp, _, _, err := ctx.CreateQP(&verbs.QPInit{PD: pd, SendCQ: cq, RecvCQ: cq, Type: verbs.QPTRC, Cap: verbs.QPCap{MaxRecvWR: 1}})
		if err != nil {
			t.Fatal(err)
		}
		move := func(to verbs.QPState, mask verbs.AttrMask) {
			if err := ctx.ModifyQP(qp, &verbs.QPAttr{State: to, PortNum: 1}, mask|verbs.AttrState); err != nil {
				t.Fatal(err)
			}
		}
		move(verbs.QPSInit, verbstest.InitMask)
		if err := errors.Join(ctx.PostRecv(qp, &verbs.RecvWR{}), ctx.ReqNotifyCQ(cq, true)); err != nil {
			t.Fatal(err)
		}
		move(verbs.QPSErr, 0)
		if got, err := ctx.GetCQEvent(ch, nil); got != cq || err != nil {
			t.Fatalf("event of %v, %v", got, err)
		}
		if err := ctx.DestroyQP(qp); err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		go func() { done <- ctx.DestroyCQ(cq) }()
		synctest.Wait()
		select {
		case <-done:
			t.Error("destroyed before the event was acknowledged")
		default:
		}
		ctx.AckCQEvents(cq, 1)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
