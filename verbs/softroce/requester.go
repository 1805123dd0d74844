package softroce

import (
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// reqPhase is what the requester of a queue pair is doing.
//
//	         RTS                   RNR NAK
//	closed ──────▶ open ───────────────────────▶ waiting
//	                │ ▲                             │
//	            SQD │ │ RTS         timer           │
//	                ▼ │   ◀─────────────────────────┘
//	              draining
//
// Any state but RTS and SQD closes it again.
type reqPhase uint8

const (
	reqClosed   reqPhase = iota
	reqOpen              // sends what is posted
	reqWaiting           // the peer had no receive posted: wait, then go back
	reqDraining          // finishes what was begun, begins nothing new
)

// reqConfig is what ibv_modify_qp says of the requester.
type reqConfig struct {
	mtu      int
	timeout  wire.AckTimeout
	retries  int // retry_cnt
	rnr      int // rnr_retry
	maxRD    int // max_rd_atomic
	endless  bool
	rnrWait  func(wire.RNRTimer) time.Duration
	draining bool // return to draining when the wait is over
}

// requester sends the work requests of one queue pair and digests the
// responses (IBTA vol. 1, 9.7). It is a machine without clock, memory and link:
// time is passed in as the time since some epoch, next gives out the packets
// to send, after which the timer must run, and retire the work requests that are
// finished.
type requester struct {
	cfg   reqConfig
	phase reqPhase
	sq    sendQueue

	cursor uint64 // work request to send from next
	packet int    // and which packet of it

	psn  wire.PSN // next one never used
	sent wire.PSN // behind the last one that left
	una  wire.PSN // oldest unacknowledged

	window   int // packets that may be unacknowledged
	fetching int // READs and atomics outstanding
	silent   int // packets since an ACK was asked for
	retries  int // left
	rnr      int // left

	// repair is the PSN the requester went back to, as long as nothing
	// progressed since: a second NAK for it is a duplicate.
	repair repair

	deadline time.Duration // of the ACK timer or the RNR wait; 0 is none
}

// repair remembers a go-back. The zero value: none.
type repair struct {
	state repairState
	psn   wire.PSN
}

type repairState uint8

const (
	repairNone repairState = iota
	repairing
)

// request is a packet to be sent.
type request struct {
	w      *sendWQE
	op     wire.Opcode
	psn    wire.PSN
	off    int // of the payload in the message
	n      int // payload bytes; for a READ, bytes asked for
	ackReq bool
}

// start opens the requester with its first PSN.
func (r *requester) start(cfg reqConfig, psn wire.PSN) {
	r.cfg = cfg
	r.phase = reqOpen
	r.window = min(max(windowBytes/cfg.mtu, windowMin), windowMax)
	r.psn, r.sent, r.una = psn, psn, psn
	r.cursor, r.packet = r.sq.head, 0
	r.fetching, r.silent, r.deadline = 0, 0, 0
	r.repair = repair{}
	r.refill()
}

// refill gives both retry budgets back, which any progress does (9.7.5.2.8).
func (r *requester) refill() { r.retries, r.rnr = r.cfg.retries, r.cfg.rnr }

// next puts the next packet to be sent into req, if there is one.
func (r *requester) next(req *request) bool {
	if (r.phase != reqOpen && r.phase != reqDraining) || r.cursor == r.sq.tail {
		return false
	}
	w := r.sq.at(r.cursor)
	if w.state == wqePosted && !r.begin(w) || w.state == wqeFailed {
		return false
	}
	psn := w.first.Add(r.packet)
	if r.full(psn, w) {
		return false
	}
	r.describe(req, w, r.packet)
	r.advanceCursor(w)
	if end := psn.Add(1); !end.Before(r.sent) {
		r.sent = end
	}
	if w.fetches() && !w.next().Before(r.sent) {
		r.sent = w.next()
	}
	return true
}

// begin gives a work request its sequence numbers, if it may start now.
func (r *requester) begin(w *sendWQE) bool {
	switch {
	case r.phase == reqDraining:
		return false
	case r.full(r.psn, w):
		return false
	case w.wr.Flags&verbs.SendFence != 0 && r.fetching > 0:
		return false
	case w.length > maxMessage || packets(w.length, r.cfg.mtu) >= psnWindow:
		r.fail(w, verbs.WCLocLenErr)
		return false
	case w.fetches() && r.cfg.maxRD == 0:
		r.fail(w, verbs.WCLocQPOpErr) // no initiator depth: it could never be sent
		return false
	case w.fetches() && r.fetching >= r.cfg.maxRD:
		return false
	}
	w.first, w.npsn = r.psn, packets(w.length, r.cfg.mtu)
	w.state = wqeSent
	r.psn = w.next()
	r.packet = 0
	if w.fetches() {
		r.fetching++
	}
	return true
}

// full reports whether a packet of a work request must wait for an ACK. Short
// messages take less of the receiver's buffer, so more of them may be under way.
func (r *requester) full(psn wire.PSN, w *sendWQE) bool {
	n := psn.Sub(r.una)
	return n >= r.window && (w.length > r.cfg.mtu || n >= min(windowBytes/(w.length+packetCost), windowMax))
}

// describe puts packet i of a work request into req. (Structs are handed on by
// pointer on this path: to copy one that was just filled in costs as much as
// to fill it in.)
func (r *requester) describe(req *request, w *sendWQE, i int) {
	req.w, req.psn, req.ackReq = w, w.first.Add(i), true
	req.off = i * r.cfg.mtu
	req.n = w.length - req.off
	req.op = requestOpcode(w.wr.Opcode, i == 0, i == w.npsn-1)
	if w.fetches() {
		return
	}
	req.n = min(req.n, r.cfg.mtu)
	r.silent++
	req.ackReq = i == w.npsn-1 || r.silent >= r.window/windowParts
	if req.ackReq {
		r.silent = 0
	}
}

func (r *requester) advanceCursor(w *sendWQE) {
	r.packet++
	if w.fetches() || r.packet == w.npsn {
		r.cursor++
		r.packet = 0
	}
}

// maxPatience is the most that the ACK timer may exceed its interval, as a
// power of two: the specification allows four times (9.7.6.1.3).
const maxPatience = 2

// startTimer starts the ACK timer if anything is unacknowledged, else stops it.
// After a retry without progress it waits longer: a peer in software may be slow
// because its processor is busy, and more packets would not make it faster.
func (r *requester) startTimer(now time.Duration) {
	r.deadline = 0
	if r.una != r.sent && !r.cfg.timeout.Infinite() {
		vain := min(r.cfg.retries-r.retries, maxPatience)
		r.deadline = now + r.cfg.timeout.Duration()<<vain
	}
}

// expire tells the requester the time.
func (r *requester) expire(now time.Duration) {
	if r.deadline == 0 || now < r.deadline {
		return
	}
	if r.phase == reqWaiting {
		r.phase = reqOpen
		if r.cfg.draining {
			r.phase = reqDraining
		}
		r.startTimer(now)
		return
	}
	r.repair = repair{}
	r.goBack(r.una, now)
}

// goBack sends again from a PSN, if the retry budget allows (9.7.5.2).
func (r *requester) goBack(psn wire.PSN, now time.Duration) {
	if r.repair == (repair{repairing, psn}) {
		return
	}
	if r.retries == 0 {
		r.failAt(psn, verbs.WCRetryExcErr)
		return
	}
	if !r.cfg.endless {
		r.retries--
	}
	r.repair = repair{repairing, psn}
	r.rewind(psn)
	r.startTimer(now)
}

// rewind moves the cursor back to a PSN that was sent before.
func (r *requester) rewind(psn wire.PSN) {
	if i, ok := r.find(psn); ok {
		r.cursor, r.packet = i, psn.Sub(r.sq.at(i).first)
		r.silent = 0
	}
}

// find returns the work request a PSN belongs to.
func (r *requester) find(psn wire.PSN) (uint64, bool) {
	for i := r.sq.head; i != r.sq.tail; i++ {
		w := r.sq.at(i)
		if w.has(psn) {
			return i, true
		}
		if w.state == wqePosted {
			break
		}
	}
	return 0, false
}

// fail marks a work request as failed. It is retired when it is the oldest.
func (r *requester) fail(w *sendWQE, status verbs.WCStatus) {
	w.state, w.status = wqeFailed, status
}

// failAt fails the work request a PSN belongs to. Nothing behind it is sent any
// more; what is before it may still finish.
func (r *requester) failAt(psn wire.PSN, status verbs.WCStatus) {
	i, ok := r.find(psn)
	if !ok {
		return
	}
	r.fail(r.sq.at(i), status)
	r.cursor, r.packet = min(r.cursor, i), 0
	if i == r.sq.head {
		r.deadline = 0
	}
}

// retire returns the oldest work request if it is finished. The slot stays
// valid until the next post.
func (r *requester) retire() (w *sendWQE, ok bool) {
	if r.sq.head == r.sq.tail {
		return nil, false
	}
	w = r.sq.at(r.sq.head)
	if w.state != wqeDone && w.state != wqeFailed {
		return nil, false
	}
	if r.cursor == r.sq.head {
		r.cursor, r.packet = r.cursor+1, 0
	}
	r.sq.head++
	if r.sq.head == r.sq.tail {
		r.sq.head, r.sq.tail, r.cursor = 0, 0, 0 // the memory used last is in the caches
	}
	return w, true
}

// drained reports whether everything that was begun is finished.
func (r *requester) drained() bool {
	return r.sq.head == r.sq.tail || r.sq.at(r.sq.head).state == wqePosted
}

// stop closes the requester.
func (r *requester) stop() { r.phase, r.deadline = reqClosed, 0 }

// resume opens a requester that was drained, with new attributes.
func (r *requester) resume(cfg reqConfig) {
	r.cfg = cfg
	if r.phase == reqDraining {
		r.phase = reqOpen
	}
}

// drain makes the requester begin nothing new.
func (r *requester) drain(cfg reqConfig) {
	r.cfg = cfg
	r.cfg.draining = true
	if r.phase == reqOpen {
		r.phase = reqDraining
	}
}
