package softroce

import (
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// arrival is data a response brought for a work request.
type arrival struct {
	w   *sendWQE
	off int
}

// receive digests a response (IBTA vol. 1, 9.7.5). It is ok if the payload, or
// the original value of an atomic, is to be written to the work request's own
// memory; arrived then tells the requester that this was done.
func (r *requester) receive(p *wire.Packet, now time.Duration) (a arrival, ok bool) {
	if r.phase == reqClosed || !p.PSN.Before(r.sent) || p.PSN.Before(r.una) {
		return a, false // a duplicate, or an answer to nothing that was sent
	}
	switch p.Opcode.Kind() {
	case wire.KindAck:
		r.receiveAck(p, now)
	case wire.KindReadResponse, wire.KindAtomicAck:
		return r.receiveData(p, now)
	case wire.KindNone, wire.KindSend, wire.KindWrite, wire.KindReadRequest, wire.KindCompareSwap, wire.KindFetchAdd:
	}
	return a, false
}

func (r *requester) receiveAck(p *wire.Packet, now time.Duration) {
	switch s := p.AETH.Syndrome; s.Kind() {
	case wire.SyndromeACK:
		r.ackBefore(p.PSN.Add(1), now)
	case wire.SyndromeRNR:
		if r.ackBefore(p.PSN, now) {
			r.notReady(p.PSN, s.RNRTimer(), now)
		}
	case wire.SyndromeNAK:
		if r.ackBefore(p.PSN, now) {
			r.refused(p.PSN, s.NAKCode(), now)
		}
	default:
		r.failAt(p.PSN, verbs.WCBadRespErr)
	}
}

// ackBefore takes everything before a PSN as acknowledged. It returns false if
// a READ or atomic before it still misses its response: that was lost, and is
// asked for again (9.7.5.2.3, implied NAK).
func (r *requester) ackBefore(psn wire.PSN, now time.Duration) bool {
	for i := r.sq.head; i != r.sq.tail; i++ {
		w := r.sq.at(i)
		if w.state == wqePosted || !w.first.Before(psn) {
			break
		}
		if missing := w.first.Add(w.got); w.fetches() && w.state == wqeSent && missing.Before(psn) {
			r.progress(missing, now)
			r.goBack(missing, now)
			return false
		}
		if !w.fetches() && w.state == wqeSent && !psn.Before(w.next()) {
			w.state = wqeDone
		}
	}
	r.progress(psn, now)
	return true
}

// progress moves the oldest unacknowledged PSN forward.
func (r *requester) progress(psn wire.PSN, now time.Duration) {
	if !r.una.Before(psn) {
		return
	}
	r.una = psn
	r.repair = repair{}
	r.refill()
	r.skipCursor()
	if r.phase != reqWaiting {
		r.startTimer(now)
	}
}

// skipCursor moves the cursor past what was acknowledged while going back.
func (r *requester) skipCursor() {
	for r.cursor != r.sq.tail {
		w := r.sq.at(r.cursor)
		if w.state == wqePosted || !w.first.Before(r.una) {
			return
		}
		if r.una.Before(w.next()) {
			r.packet = max(r.packet, r.una.Sub(w.first))
			return
		}
		r.cursor, r.packet = r.cursor+1, 0
	}
}

// notReady begins the wait an RNR NAK asks for (9.7.5.2.8).
func (r *requester) notReady(psn wire.PSN, t wire.RNRTimer, now time.Duration) {
	if r.phase == reqWaiting {
		return
	}
	if r.rnr == 0 {
		r.failAt(psn, verbs.WCRNRRetryExcErr)
		return
	}
	if r.cfg.rnr != retryForever {
		r.rnr--
	}
	r.cfg.draining = r.phase == reqDraining
	r.phase = reqWaiting
	r.repair = repair{}
	r.rewind(psn)
	r.deadline = now + r.cfg.rnrWait(t)
}

// refused handles a NAK (9.7.5.2).
func (r *requester) refused(psn wire.PSN, code wire.NAKCode, now time.Duration) {
	switch code {
	case wire.NAKSequence:
		if r.phase != reqWaiting {
			r.goBack(psn, now)
		}
	case wire.NAKInvalidRequest:
		r.failAt(psn, verbs.WCRemInvReqErr)
	case wire.NAKRemoteAccess:
		r.failAt(psn, verbs.WCRemAccessErr)
	case wire.NAKInvalidRD:
		r.failAt(psn, verbs.WCBadRespErr) // there are no datagrams here
	case wire.NAKRemoteOperational:
		r.failAt(psn, verbs.WCRemOpErr)
	default:
		r.failAt(psn, verbs.WCBadRespErr)
	}
}

// receiveData digests a READ response or an atomic acknowledge.
func (r *requester) receiveData(p *wire.Packet, now time.Duration) (a arrival, ok bool) {
	if !r.ackBefore(p.PSN, now) {
		return a, false
	}
	i, ok := r.find(p.PSN)
	if !ok {
		return a, false
	}
	w := r.sq.at(i)
	if w.state != wqeSent {
		return a, false
	}
	if !r.fits(w, p) {
		r.failAt(p.PSN, verbs.WCBadRespErr)
		return a, false
	}
	return arrival{w: w, off: w.got * r.cfg.mtu}, true
}

// fits reports whether a response is what the work request waits for.
func (r *requester) fits(w *sendWQE, p *wire.Packet) bool {
	switch w.kind() {
	case wire.KindReadRequest:
		left := w.length - w.got*r.cfg.mtu
		last := w.got == w.npsn-1
		return p.Opcode.Kind() == wire.KindReadResponse && p.Opcode.Position().Ends() == last &&
			len(p.Payload) == min(left, r.cfg.mtu)
	case wire.KindCompareSwap, wire.KindFetchAdd:
		return p.Opcode.Kind() == wire.KindAtomicAck
	case wire.KindNone, wire.KindSend, wire.KindWrite, wire.KindReadResponse, wire.KindAck, wire.KindAtomicAck:
	}
	return false
}

// arrived books data that was written to the work request's memory.
func (r *requester) arrived(w *sendWQE, now time.Duration) {
	w.got++
	if w.got == w.npsn {
		w.state = wqeDone
		r.fetching--
	}
	r.progress(w.first.Add(w.got), now)
}
