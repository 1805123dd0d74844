package softroce

import (
	"time"

	"ibtour/verbs/wire"
)

// ackPolicy decides whether an acknowledgement leaves at once, or waits for
// the next message of the peer to be covered by one ACK with it
// (IBTA vol. 1, 9.7.5.1.2 lets a responder coalesce them). On a network half of
// the packets of a ping-pong are ACKs.
//
// A peer that waits for the ACK before it goes on must not be kept waiting, and
// what a peer does is only found out by trying. After some messages without a
// failure an ACK may cover more of them, after a failure fewer:
//
//	at once ──▶ 8 messages ──▶ 16 ──▶ 32
//	        ◀──            ◀──    ◀──
//
// A failure is silence, or a repeated request. After every failure the next try
// comes twice as late, until one succeeds.
type ackPolicy struct {
	most     int           // messages one ACK may cover; below 2 it leaves at once
	trial    bool          // most was raised, and it is not known yet whether rightly
	messages int           // that the next ACK covers
	since    time.Duration // when the first of them came
	calm     int           // messages since most changed
	patience int           // messages before the next try
	listed   ackListing
}

// ackListing says whether the device's list of waiting ACKs has a queue pair.
type ackListing uint8

const (
	ackUnlisted ackListing = iota
	ackListed
)

const (
	ackPatienceMin = 8
	ackPatienceMax = 4096
	// ackHeldMin and ackHeldMax are how many messages one ACK covers at first
	// and at most. Send queues that people use are rarely below the first, and
	// with the last a soft0 has not yet used up its window.
	ackHeldMin = 8
	ackHeldMax = 32
	// ackLongest is how long an ACK waits while messages keep coming: it is well
	// below all ACK timeouts that leave room for waiting.
	ackLongest = time.Millisecond
	// ackSilence is how long a peer that does not wait for the ACK is silent
	// at most: it would send its next message otherwise.
	ackSilence = 500 * time.Microsecond
	// ackShortTimeout is an ACK timeout that leaves no room for waiting: 4 ms.
	ackShortTimeout = wire.AckTimeout(10)
)

// message notes a message that was received.
func (p *ackPolicy) message(now time.Duration) {
	if p.messages == 0 {
		p.since = now
	}
	p.messages++
	p.calm++
	p.patience = max(p.patience, ackPatienceMin)
	if p.calm >= p.patience && p.most < ackHeldMax {
		p.most, p.trial, p.calm = max(2*p.most, ackHeldMin), true, 0
	}
}

// holds reports whether the ACK may wait.
func (p *ackPolicy) holds(now time.Duration) bool {
	return p.messages < p.most && now-p.since < ackLongest
}

// sent notes that the ACK has left. If it covered as many messages as it may,
// the peer does not wait for it.
func (p *ackPolicy) sent() {
	if p.trial && p.messages >= p.most {
		p.patience, p.trial = ackPatienceMin, false
	}
	p.messages = 0
}

// failed notes that the peer waited.
func (p *ackPolicy) failed() {
	if p.most < ackHeldMin {
		return
	}
	p.most /= 2
	if p.most < ackHeldMin {
		p.most = 1
	}
	p.patience = min(2*p.patience, ackPatienceMax)
	p.trial, p.messages, p.calm = false, 0, 0
}

// keepsACK reports whether all a queue pair has to answer is an ACK that waits.
func (q *qp) keepsACK(now time.Duration) bool {
	out := &q.resp.out
	if out.n != 1 || !q.acks.holds(now) || q.dev.urgent != notUrgent || q.link == Link(&q.dev.memory) {
		return false
	}
	if t := wire.AckTimeout(q.attr.Timeout); !t.Infinite() && t < ackShortTimeout {
		return false
	}
	a := out.at(0)
	return a.kind == wire.KindAck && a.aeth.Syndrome.Kind() == wire.SyndromeACK
}

// urgency says whether a pump sends the ACKs that wait.
type urgency uint8

const (
	notUrgent urgency = iota
	urgent
)

// pumpAll is pump that also sends all ACKs that were held back.
// Precondition: mu is locked.
func (d *device) pumpAll(now time.Duration) {
	d.release(now)
	for _, q := range d.held {
		q.unhold()
	}
	d.held = d.held[:0]
	d.urgent = urgent
	d.pump()
	d.urgent = notUrgent
}

// release sends the ACKs whose peer is silent: it waits for them, or has
// nothing more to say.
// Precondition: mu is locked.
func (d *device) release(now time.Duration) {
	kept := d.held[:0]
	for _, q := range d.held {
		if now-q.heard < ackSilence {
			kept = append(kept, q)
			continue
		}
		q.acks.failed()
		q.unhold()
	}
	d.held = kept
	d.pump()
}

// hold notes that a queue pair has an ACK waiting.
func (q *qp) hold() {
	if q.acks.listed == ackUnlisted {
		q.acks.listed = ackListed
		q.dev.held = append(q.dev.held, q)
	}
}

// unhold puts a queue pair's turn on the list: its ACK may leave.
func (q *qp) unhold() {
	q.acks.listed = ackUnlisted
	q.dev.schedule(q)
}
