package softroce

import (
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

func TestReadGap(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRRDMARead, 3*testMTU+7)
	b.post(verbs.WRSend, 1)
	got := b.sends(0, 4) // four responses take four PSNs
	if got[0].n != 3*testMTU+7 {
		t.Errorf("asked for %d bytes", got[0].n)
	}
	b.responds(wire.OpReadResponseFirst, 0, testMTU)
	b.responds(wire.OpReadResponseMiddle, 2, testMTU) // 1 is lost
	got = b.sends(1, 4)
	if got[0].op != wire.OpReadRequest || got[0].off != testMTU || got[0].n != 2*testMTU+7 {
		t.Errorf("asked for %d bytes at %d", got[0].n, got[0].off)
	}
	b.responds(wire.OpReadResponseLast, 3, 7) // of the first answer
	b.sends()
	b.responds(wire.OpReadResponseFirst, 1, testMTU)
	b.responds(wire.OpReadResponseMiddle, 2, testMTU)
	b.responds(wire.OpReadResponseLast, 3, 7)
	b.retires(ok)
	b.answer(4, wire.ACKNoCredits)
	b.retires(ok)
}

func TestAckPastAReadIsAnImpliedNAK(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRRDMARead, 1)
	b.post(verbs.WRSend, 1)
	b.sends(0, 1)
	b.answer(1, wire.ACKNoCredits)
	b.retires()
	b.sends(0, 1)
	b.responds(wire.OpReadResponseOnly, 0, 1)
	b.answer(1, wire.ACKNoCredits)
	b.retires(ok, ok)
}

func TestResponseAcknowledgesWhatIsBefore(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRSend, 1)
	b.post(verbs.WRAtomicFetchAndAdd, 8)
	b.sends(0, 1)
	b.responds(wire.OpAtomicAck, 1, 0)
	b.retires(ok, ok)
}

func TestBadResponse(t *testing.T) {
	for name, play := range map[string]func(*reqBench){
		"READ response to an atomic": func(b *reqBench) { b.responds(wire.OpReadResponseOnly, 0, 8) },
		"reserved syndrome":          func(b *reqBench) { b.answer(0, 0x40) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newReqBench(t)
			b.post(verbs.WRAtomicFetchAndAdd, 8)
			b.sends(0)
			play(b)
			b.retires(verbs.WCBadRespErr)
		})
	}
	b := newReqBench(t)
	b.post(verbs.WRRDMARead, 10)
	b.sends(0)
	b.responds(wire.OpReadResponseOnly, 0, 11)
	b.retires(verbs.WCBadRespErr)
}

func TestReadLimit(t *testing.T) {
	b := newReqBench(t)
	for range 3 {
		b.post(verbs.WRRDMARead, 1)
	}
	b.post(verbs.WRSend, 1)
	b.sends(0, 1) // two at a time, and what follows waits
	b.responds(wire.OpReadResponseOnly, 0, 1)
	b.sends(2, 3)
}

func TestFence(t *testing.T) {
	b := newReqBench(t)
	b.post(verbs.WRRDMARead, 1)
	b.post(verbs.WRSend, 1, verbs.SendFence)
	b.sends(0)
	b.responds(wire.OpReadResponseOnly, 0, 1)
	b.sends(1)
}

func TestNoInitiatorDepth(t *testing.T) {
	b := newReqBench(t, func(cfg *reqConfig) { cfg.maxRD = 0 })
	b.post(verbs.WRRDMARead, 1)
	b.sends()
	b.retires(verbs.WCLocQPOpErr)
}
