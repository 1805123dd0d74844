package softroce

import (
	"net/netip"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// dropReason says why a packet was dropped. None of these is answered: to the
// sender each looks like a lost packet (IBTA vol. 1, 9.6).
type dropReason uint8

const (
	dropNone dropReason = iota
	dropMalformed
	dropQPN
	dropState
	dropAddress
	dropPKey
	dropICRC
	numDropReasons
)

// String returns the reason in words.
func (r dropReason) String() string {
	return [...]string{
		"", "dropped: malformed", "dropped: no such queue pair", "dropped: queue pair is not ready to receive",
		"dropped: not from the peer's address", "dropped: wrong P_Key", "dropped: wrong ICRC", "",
	}[r]
}

// receive takes a packet off a link: the header checks (IBTA vol. 1, 9.6), then
// the requester or the responder. env.ID is only known on a link in memory.
// Precondition: mu is locked. b is not kept.
func (d *device) receive(env *wire.Envelope, b []byte, via Link, now time.Duration) {
	q, why := d.accept(env, b, via, now)
	d.dropped[why]++
	d.taps.received(env, b, via, why)
	if why == dropNone && q != nil {
		d.dispatch(q, now)
	}
}

// accept checks the headers and leaves the packet in d.in. It returns the queue
// pair it is for, nil if a ghost has answered it.
func (d *device) accept(env *wire.Envelope, b []byte, via Link, now time.Duration) (*qp, dropReason) {
	if d.in.Parse(b) != nil {
		return nil, dropMalformed
	}
	q := d.qps[d.in.DestQP]
	if q == nil {
		return nil, d.haunt(env, b, via, now)
	}
	switch {
	case !q.hears(d.in.Opcode):
		return q, dropState
	case via != q.link || !samePath(env, &q.env):
		return q, dropAddress
	}
	return q, d.intact(env, b, via)
}

// intact checks what protects the packet itself.
func (d *device) intact(env *wire.Envelope, b []byte, via Link) dropReason {
	if d.in.PKey != wire.DefaultPKey {
		return dropPKey
	}
	if d.verifying.Verify(env, b) {
		return dropNone
	}
	if via != Link(&d.memory) { // perhaps the sender numbers its IPv4 packets
		if _, ok := env.SolveID(b); ok {
			return dropNone
		}
	}
	return dropICRC
}

// hears reports whether a queue pair takes packets in its state: requests from
// RTR on, responses from RTS on (10.3.1).
func (q *qp) hears(op wire.Opcode) bool {
	switch q.state {
	case verbs.QPSRTR:
		return op.IsRequest()
	case verbs.QPSRTS, verbs.QPSSQD:
		return true
	case verbs.QPSReset, verbs.QPSInit, verbs.QPSSQE, verbs.QPSErr, verbs.QPSUnknown:
	}
	return false
}

// samePath reports whether a packet travelled between the two addresses of a
// connection. Ports do not count: the source port is free.
func samePath(in, out *wire.Envelope) bool {
	return sameAddr(in.Src.Addr(), out.Dst.Addr()) && sameAddr(in.Dst.Addr(), out.Src.Addr())
}

func sameAddr(a, b netip.Addr) bool {
	return a == b || a.Unmap().WithZone("") == b.Unmap().WithZone("")
}

// dispatch hands the packet in d.in to the machine it is for.
func (d *device) dispatch(q *qp, now time.Duration) {
	p := &d.in
	if p.Opcode.IsRequest() {
		if q.state == verbs.QPSRTR && q.comm == commSilent {
			q.comm = commHeard
			q.raise(verbs.EventCommEst)
		}
		if p.PSN.Before(q.resp.psn) {
			q.acks.failed()
		}
		q.heard = now
		q.conclude(q.resp.receive(p, q), p)
	} else if a, ok := q.req.receive(p, now); ok {
		if q.store(a, p) {
			q.req.arrived(a.w, now)
		} else {
			q.req.failAt(p.PSN, verbs.WCLocProtErr)
		}
	}
	d.schedule(q)
}

// conclude carries out the verdict of the responder.
func (q *qp) conclude(v *verdict, p *wire.Packet) {
	switch v.kind {
	case received:
		q.acks.message(q.heard)
		q.completeRecv(&v.wc, p.Solicited)
	case refused:
		if v.taken {
			q.completeRecv(&verbs.WC{Status: v.status}, false)
		} else {
			q.raise(v.event)
		}
		if q.state != verbs.QPSErr {
			q.setState(verbs.QPSErr)
		}
	case nothing:
	}
}
