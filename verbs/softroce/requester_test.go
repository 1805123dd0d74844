package softroce

import (
	"testing"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

const (
	testMTU     = 256
	testPSN     = wire.PSN(0xFFFFFE) // wraps at once
	testTimeout = wire.AckTimeout(10)
)

// bench is a requester on its own, with a clock that the test moves.
type reqBench struct {
	*requester
	t   *testing.T
	now time.Duration
}

func newReqBench(t *testing.T, change ...func(*reqConfig)) *reqBench {
	t.Helper()
	cfg := reqConfig{
		mtu: testMTU, timeout: testTimeout, retries: 3, rnr: 2, maxRD: 2,
		rnrWait: func(c wire.RNRTimer) time.Duration { return c.Duration() },
	}
	for _, c := range change {
		c(&cfg)
	}
	b := &reqBench{t: t, now: time.Second, requester: &requester{}}
	b.sq = newSendQueue(verbs.QPCap{MaxSendWR: 16, MaxSendSGE: 1})
	b.start(cfg, testPSN)
	return b
}

// next is requester.next with the timer kept, as a queue pair does.
func (b *reqBench) next() (req request, ok bool) {
	ok = b.requester.next(&req)
	if ok && b.deadline == 0 {
		b.startTimer(b.now)
	}
	return req, ok
}

func (b *reqBench) post(op verbs.WROpcode, length int, flags ...verbs.SendFlags) {
	w := b.sq.push()
	w.wr, w.length = verbs.SendWR{Opcode: op}, length
	for _, f := range flags {
		w.wr.Flags |= f
	}
}

// sends checks the PSNs, counted from the first, of all packets that leave now.
func (b *reqBench) sends(want ...int) []request {
	b.t.Helper()
	var got []request
	for req, ok := b.next(); ok; req, ok = b.next() {
		got = append(got, req)
	}
	var psns []int
	for _, r := range got {
		psns = append(psns, r.psn.Sub(testPSN))
	}
	if len(psns) != len(want) {
		b.t.Fatalf("sent PSNs %v, want %v", psns, want)
	}
	for i := range want {
		if psns[i] != want[i] {
			b.t.Fatalf("sent PSNs %v, want %v", psns, want)
		}
	}
	return got
}

func (b *reqBench) answer(psn int, s wire.Syndrome) {
	b.receive(&wire.Packet{
		BTH: wire.BTH{Opcode: wire.OpAck, PSN: testPSN.Add(psn)}, AETH: wire.AETH{Syndrome: s},
	}, b.now)
}

// responds plays a READ response or an atomic acknowledge, and books its data.
func (b *reqBench) responds(op wire.Opcode, psn, size int) {
	p := wire.Packet{BTH: wire.BTH{Opcode: op, PSN: testPSN.Add(psn)}, Payload: make([]byte, size)}
	if a, ok := b.receive(&p, b.now); ok {
		b.arrived(a.w, b.now)
	}
}

// retires checks the statuses of all work requests that are finished now.
func (b *reqBench) retires(want ...verbs.WCStatus) {
	b.t.Helper()
	var got []verbs.WCStatus
	for w, ok := b.retire(); ok; w, ok = b.retire() {
		got = append(got, w.status)
	}
	if len(got) != len(want) {
		b.t.Fatalf("retired %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			b.t.Fatalf("retired %v, want %v", got, want)
		}
	}
}

// pass moves the clock on and runs the timer.
func (b *reqBench) pass(d time.Duration) {
	b.now += d
	b.expire(b.now)
}

const ok = verbs.WCSuccess

func TestSegmentation(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRSendWithImm, 2*testMTU+1)
	b.post(verbs.WRRDMAWrite, 0)
	got := b.sends(0, 1, 2, 3)
	want := []struct {
		op     wire.Opcode
		n      int
		ackReq bool
	}{
		{wire.OpSendFirst, testMTU, false},
		{wire.OpSendMiddle, testMTU, false},
		{wire.OpSendLastImm, 1, true},
		{wire.OpWriteOnly, 0, true},
	}
	for i, w := range want {
		if g := got[i]; g.op != w.op || g.n != w.n || g.ackReq != w.ackReq {
			t.Errorf("packet %d: %v of %d bytes, A %v; want %v", i, g.op, g.n, g.ackReq, w)
		}
	}
}

func TestAckCompletesAllBefore(t *testing.T) {
	b := newReqBench(t)
	for range 3 {
		b.post(verbs.WRSend, testMTU)
	}
	b.sends(0, 1, 2)
	b.answer(1, wire.ACKNoCredits)
	b.retires(ok, ok)
	b.answer(0, wire.ACKNoCredits) // an old one
	b.retires()
	b.answer(3, wire.ACKNoCredits) // of nothing that was sent
	b.retires()
	b.answer(2, wire.ACKNoCredits)
	b.retires(ok)
	if b.deadline != 0 {
		t.Error("the timer runs with nothing outstanding")
	}
}

func TestTimeoutSendsTheSameAgain(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRSend, 2*testMTU)
	b.post(verbs.WRSend, 1)
	b.sends(0, 1, 2)
	for vain := range 3 {
		b.pass(patience(vain) - 1)
		b.sends()
		b.pass(1)
		b.sends(0, 1, 2)
	}
	b.pass(patience(3))
	b.sends()
	b.retires(verbs.WCRetryExcErr)
}

// patience is how long the timer runs after so many retries in vain: once, twice,
// then four times the interval, which is the most the specification allows.
func patience(vain int) time.Duration {
	return testTimeout.Duration() * []time.Duration{1, 2, 4}[min(vain, 2)]
}

func TestRetryBudget(t *testing.T) {
	for _, c := range []struct {
		name    string
		endless bool
		tries   int
	}{{"seven means seven", false, 7}, {"rxe never gives up", true, 1000}} {
		t.Run(c.name, func(t *testing.T) {
			b := newReqBench(t, func(cfg *reqConfig) { cfg.retries, cfg.endless = 7, c.endless })
			b.post(verbs.WRSend, 1)
			b.sends(0)
			for i := range c.tries {
				if c.endless {
					i = 0 // rxe always waits alike
				}
				b.pass(patience(i))
				b.sends(0)
			}
			if c.endless {
				return
			}
			b.pass(patience(c.tries))
			b.retires(verbs.WCRetryExcErr)
		})
	}
}

func TestProgressRefillsTheBudget(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRSend, 2*testMTU)
	b.sends(0, 1)
	for vain := range 3 {
		b.pass(patience(vain))
		b.sends(0, 1)
	}
	b.answer(0, wire.ACKNoCredits)
	for vain := range 3 {
		b.pass(patience(vain))
		b.sends(1)
	}
	b.answer(1, wire.ACKNoCredits)
	b.retires(ok)
}

func TestTimeoutZeroIsForever(t *testing.T) {
	b := newReqBench(t, func(cfg *reqConfig) { cfg.timeout = 0 })
	b.post(verbs.WRSend, 1)
	b.sends(0)
	b.pass(1000 * time.Hour)
	b.sends()
	b.retires()
}

func TestSequenceNAKGoesBackOnce(t *testing.T) {
	b := newReqBench(t)
	for range 4 {
		b.post(verbs.WRSend, 1)
	}
	b.sends(0, 1, 2, 3)
	b.answer(2, wire.NAK(wire.NAKSequence))
	b.retires(ok, ok)
	b.sends(2, 3)
	b.answer(2, wire.NAK(wire.NAKSequence)) // again: a duplicate
	b.sends()
	b.answer(3, wire.ACKNoCredits)
	b.retires(ok, ok)
}

func TestRNRWaitsAsLongAsTheReceiverSays(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRSend, 1)
	b.post(verbs.WRSend, 1)
	b.sends(0, 1)
	wait := wire.RNRTimer(20).Duration()
	for range 2 {
		b.answer(0, wire.RNRNAK(20))
		b.answer(0, wire.NAK(wire.NAKSequence)) // of the packet behind it
		b.pass(wait - 1)
		b.sends()
		b.pass(1)
		b.sends(0, 1)
	}
	b.answer(0, wire.RNRNAK(20))
	b.retires(verbs.WCRNRRetryExcErr)
}

func TestRNRSevenIsForever(t *testing.T) {
	b := newReqBench(t, func(cfg *reqConfig) { cfg.rnr = 7 })
	b.post(verbs.WRSend, 1)
	b.sends(0)
	for range 100 {
		b.answer(0, wire.RNRNAK(1))
		b.pass(wire.RNRTimer(1).Duration())
		b.sends(0)
	}
	b.answer(0, wire.ACKNoCredits)
	b.retires(ok)
}

func TestNAKCodes(t *testing.T) {
	for code, want := range map[wire.NAKCode]verbs.WCStatus{
		wire.NAKInvalidRequest:    verbs.WCRemInvReqErr,
		wire.NAKRemoteAccess:      verbs.WCRemAccessErr,
		wire.NAKRemoteOperational: verbs.WCRemOpErr,
		wire.NAKInvalidRD:         verbs.WCBadRespErr,
		9:                         verbs.WCBadRespErr,
	} {
		b := newReqBench(t)
		for range 3 {
			b.post(verbs.WRSend, 1)
		}
		b.sends(0, 1, 2)
		b.answer(1, wire.NAK(code))
		b.retires(ok, want)
	}
}

func TestWindow(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRSend, 1000*testMTU)
	asked := 0
	sent := 0
	for req, more := b.next(); more; req, more = b.next() {
		sent++
		if req.ackReq {
			asked++
		}
	}
	if sent != windowMax || asked != windowParts {
		t.Errorf("%d packets, %d ask for an ACK", sent, asked)
	}
	b.answer(windowMax/windowParts-1, wire.ACKNoCredits)
	if _, more := b.next(); !more {
		t.Error("the window did not open")
	}
}

func TestDraining(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRSend, 2*testMTU)
	if _, more := b.next(); !more {
		t.Fatal("nothing sent")
	}
	b.post(verbs.WRSend, 1)
	b.drain(b.cfg)
	b.sends(1) // what was begun is finished
	if b.drained() {
		t.Error("drained too early")
	}
	b.answer(1, wire.ACKNoCredits)
	b.retires(ok)
	if !b.drained() {
		t.Error("not drained")
	}
	b.sends()
	b.resume(b.cfg)
	b.sends(2)
}
