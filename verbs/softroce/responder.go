package softroce

import (
	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// respPhase is what the responder of a queue pair expects next.
//
//	         RTR          SEND FIRST
//	closed ──────▶ idle ──────────────▶ sending ─┐ MIDDLE
//	                │ ▲ ◀──── SEND LAST ─────┘ ◀─┘
//	                │ │
//	                │ └────── WRITE LAST ────┐
//	                └───────────────────▶ writing ─┐ MIDDLE
//	                     WRITE FIRST         ▲ ◀───┘
//
// A refused request, or any state below RTR, closes it.
type respPhase uint8

const (
	respClosed respPhase = iota
	respIdle
	respSending
	respWriting
)

// gap says whether the requester has been told that a packet is missing. It is
// told once, until that packet comes (IBTA vol. 1, 9.7.5.2.1).
type gap uint8

const (
	gapNone gap = iota
	gapTold     // by a sequence NAK or an RNR NAK
)

// respConfig is what ibv_modify_qp says of the responder.
type respConfig struct {
	mtu     int
	destRD  int // max_dest_rd_atomic
	rnr     wire.RNRTimer
	access  verbs.AccessFlags
	quirks  Quirks
	started wire.PSN
}

// target is what a responder may touch: the receive queue and the memory of
// its queue pair's domain.
type target interface {
	recvLen() (int, bool)                                     // bytes of the oldest receive, false if there is none
	scatter(off int, b []byte) bool                           // into the oldest receive; false: protection
	remote(r wire.RETH, n int, need verbs.AccessFlags) []byte // nil: protection
}

// responder executes the requests of a peer (IBTA vol. 1, 9.7): a machine
// without clock and link, like requester.
type responder struct {
	cfg   respConfig
	phase respPhase
	gap   gap

	psn   wire.PSN // expected next
	acked wire.PSN // newest one acknowledged by an ACK
	msn   wire.MSN

	off  int       // bytes of the current message so far
	reth wire.RETH // what is left of the current WRITE

	out   responseQueue
	store replayStore

	verdict verdict // on the last request
}

// verdict is what a request came to.
type verdict struct {
	kind    verdictKind
	nak     wire.NAKCode    // refused
	status  verbs.WCStatus  // of the receive that was begun
	wc      verbs.WC        // received
	taken   bool            // refused: a receive was begun and fails with status
	silence bool            // refused without a NAK
	event   verbs.EventType // refused: if no receive was begun
}

type verdictKind uint8

const (
	nothing  verdictKind = iota
	received             // a receive is complete
	refused              // the queue pair is in error
)

// start opens the responder with the first PSN expected.
func (r *responder) start(cfg respConfig) {
	*r = responder{
		cfg: cfg, phase: respIdle, psn: cfg.started, acked: cfg.started.Add(-1),
		out: newResponseQueue(cfg.destRD), store: newReplayStore(cfg.destRD),
	}
}

// receive executes a request: the checks of IBTA vol. 1, 9.7.4, in order. The
// verdict is valid until the next request.
func (r *responder) receive(p *wire.Packet, t target) *verdict {
	r.verdict = verdict{}
	if r.phase == respClosed {
		return &r.verdict
	}
	switch d := p.PSN.Sub(r.psn); {
	case d > 0:
		r.ahead()
		return &r.verdict
	case d < 0:
		r.duplicate(p)
		return &r.verdict
	}
	v := r.execute(p, t)
	if v.kind == refused {
		r.phase = respClosed
		if !v.silence {
			r.out.push(response{kind: wire.KindAck, psn: p.PSN, aeth: wire.AETH{Syndrome: wire.NAK(v.nak), MSN: r.msn}})
		}
	}
	return v
}

// ahead tells the requester, once, which packet is missing.
func (r *responder) ahead() {
	if r.gap == gapTold {
		return
	}
	r.gap = gapTold
	r.out.push(response{
		kind: wire.KindAck, psn: r.psn, aeth: wire.AETH{Syndrome: wire.NAK(wire.NAKSequence), MSN: r.msn},
	})
}

// duplicate answers a request that was executed before (9.7.5.1.3).
func (r *responder) duplicate(p *wire.Packet) {
	switch p.Opcode.Kind() {
	case wire.KindSend, wire.KindWrite:
		newest := r.psn.Add(-1)
		if r.cfg.quirks == QuirksRXE {
			newest = r.acked
		}
		r.out.ack(newest, r.ack())
	case wire.KindReadRequest:
		if s := r.store.find(p); s != nil && s.covers(p, r.cfg.mtu) {
			r.out.read(s, response{kind: wire.KindReadResponse, psn: p.PSN, reth: p.RETH})
		}
	case wire.KindCompareSwap, wire.KindFetchAdd:
		if s := r.store.find(p); s != nil {
			r.out.push(response{kind: wire.KindAtomicAck, psn: p.PSN, aeth: r.ack(), orig: s.orig})
		}
	case wire.KindNone, wire.KindReadResponse, wire.KindAck, wire.KindAtomicAck:
	}
}

func (r *responder) ack() wire.AETH { return wire.AETH{Syndrome: wire.ACKNoCredits, MSN: r.msn} }

// execute handles the packet that was expected.
func (r *responder) execute(p *wire.Packet, t target) *verdict {
	if !r.inSequence(p.Opcode) {
		return r.refuse(wire.NAKInvalidRequest)
	}
	if need := accessFor(p.Opcode.Kind()); r.cfg.access&need != need {
		return r.refuse(wire.NAKInvalidRequest)
	}
	switch p.Opcode.Kind() {
	case wire.KindSend:
		return r.send(p, t)
	case wire.KindWrite:
		return r.write(p, t)
	case wire.KindReadRequest:
		return r.read(p, t)
	case wire.KindCompareSwap, wire.KindFetchAdd:
		return r.atomic(p, t)
	case wire.KindNone, wire.KindReadResponse, wire.KindAck, wire.KindAtomicAck:
	}
	return &r.verdict
}

// inSequence checks FIRST, MIDDLE, LAST and ONLY against the message under way
// (9.7.4.1.2).
func (r *responder) inSequence(op wire.Opcode) bool {
	switch r.phase {
	case respSending:
		return op.Kind() == wire.KindSend && !op.Position().Starts()
	case respWriting:
		return op.Kind() == wire.KindWrite && !op.Position().Starts()
	case respIdle, respClosed:
	}
	return op.Position().Starts()
}

// accessFor returns the right a queue pair must grant for an operation.
func accessFor(k wire.Kind) verbs.AccessFlags {
	switch k {
	case wire.KindWrite:
		return verbs.AccessRemoteWrite
	case wire.KindReadRequest:
		return verbs.AccessRemoteRead
	case wire.KindCompareSwap, wire.KindFetchAdd:
		return verbs.AccessRemoteAtomic
	case wire.KindNone, wire.KindSend, wire.KindReadResponse, wire.KindAck, wire.KindAtomicAck:
	}
	return 0
}

// refuse is the verdict on a request that must not be executed: NAK, and the
// queue pair goes to the error state (class C and D faults of 9.9.3).
func (r *responder) refuse(code wire.NAKCode) *verdict {
	v := &r.verdict
	v.kind, v.nak, v.taken = refused, code, r.phase == respSending
	switch code {
	case wire.NAKRemoteAccess:
		v.status, v.event = verbs.WCLocAccessErr, verbs.EventQPAccessErr
	case wire.NAKRemoteOperational:
		v.status, v.event = verbs.WCLocQPOpErr, verbs.EventQPFatal
	case wire.NAKSequence, wire.NAKInvalidRequest, wire.NAKInvalidRD:
		v.status, v.event = verbs.WCRemInvReqErr, verbs.EventQPReqErr
	}
	return v
}

// notReady sends an RNR NAK: the packet is dropped and expected again (9.7.5.2.8).
func (r *responder) notReady() *verdict {
	r.gap = gapTold
	r.out.push(response{
		kind: wire.KindAck, psn: r.psn, aeth: wire.AETH{Syndrome: wire.RNRNAK(r.cfg.rnr), MSN: r.msn},
	})
	return &r.verdict
}

// accept books the packet and answers it if asked to.
func (r *responder) accept(p *wire.Packet) {
	r.gap = gapNone
	r.psn = r.psn.Add(1)
	if p.Opcode.Position().Ends() {
		r.msn = r.msn.Add(1)
	}
	if p.AckReq {
		r.acked = p.PSN
		r.out.ack(p.PSN, r.ack())
	}
}
