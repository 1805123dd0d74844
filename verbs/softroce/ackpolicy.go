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
// A failure is a repeated request, or silence: at once while a number is tried,
// later only if it comes twice without a success in between, since everybody
// pauses now and then. After every failure the next try comes twice as late,
// until one succeeds.
type ackPolicy struct {
	most     int           // messages one ACK may cover; below 2 it leaves at once
	trial    bool          // most was raised, and it is not known yet whether rightly
	paused   bool          // the peer was silent since the last success
	messages int           // that the next ACK covers
	since    time.Duration // when the first of them came
	heard    time.Duration // when the last message came
	gap      time.Duration // between two messages, on average
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
	// ackLongest is how long an ACK waits while messages keep coming, and
	// ackShare which part of the ACK timeout, if that is less.
	ackLongest = 16 * time.Millisecond
	ackShare   = 4
	// ackSilence is how long a peer that does not wait for the ACK is silent
	// at most, or ackGaps of its usual times between two messages: it would
	// send its next message otherwise.
	ackSilence = 500 * time.Microsecond
	ackGaps    = 3
	// ackShortTimeout is an ACK timeout that leaves no room for waiting: 4 ms.
	ackShortTimeout = wire.AckTimeout(10)
	// ackWeight is the part a new time between two messages has in the average.
	ackWeight = 4
)

// message notes a message that was received.
func (p *ackPolicy) message(now time.Duration) {
	if p.messages == 0 {
		p.since = now
	}
	if p.heard != 0 {
		p.gap += (min(now-p.heard, 2*ackLongest) - p.gap) / ackWeight
	}
	p.heard = now
	p.messages++
	p.calm++
	p.patience = max(p.patience, ackPatienceMin)
	if p.calm >= p.patience && p.most < ackHeldMax {
		p.most, p.trial, p.calm = max(2*p.most, ackHeldMin), true, 0
	}
}

// holds reports whether the ACK may wait, at most so long in all, for the
// message that follows the last one. It does not where that would come too late,
// and where it covers no new message: then the peer asked for it, or was silent.
func (p *ackPolicy) holds(longest time.Duration) bool {
	return 0 < p.messages && p.messages < p.most && p.heard-p.since+p.gap < longest
}

// silent reports whether the peer has sent nothing for longer than it usually
// does.
func (p *ackPolicy) silent(now, longest time.Duration) bool {
	return now-p.heard >= min(max(ackSilence, ackGaps*p.gap), longest)
}

// sent notes that the ACK has left. If it covered as many messages as it may,
// by their number or by their time, the peer does not wait for it.
func (p *ackPolicy) sent(longest time.Duration) {
	if p.messages > 1 && !p.holds(longest) {
		if p.trial {
			p.patience = ackPatienceMin
		}
		p.trial, p.paused = false, false
	}
	p.messages = 0
}

// silence notes that the peer was silent while the ACK waited, which leaves now.
func (p *ackPolicy) silence() {
	if p.trial || p.paused {
		p.failed()
		return
	}
	p.paused, p.messages = true, 0
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
	p.trial, p.paused, p.messages, p.calm = false, false, 0, 0
}

// keepsACK reports whether all a queue pair has to answer is an ACK that waits.
func (q *qp) keepsACK() bool {
	out := &q.resp.out
	if out.n != 1 || !q.acks.holds(q.longestHold()) || q.dev.urgent != notUrgent || q.link == Link(&q.dev.memory) {
		return false
	}
	a := out.at(0)
	return a.kind == wire.KindAck && a.aeth.Syndrome.Kind() == wire.SyndromeACK
}

// longestHold is how long an ACK may wait: well below the ACK timeout, as far as
// it can be known, which is that of our own end.
func (q *qp) longestHold() time.Duration {
	t := wire.AckTimeout(q.attr.Timeout)
	switch {
	case t.Infinite():
		return ackLongest
	case t < ackShortTimeout:
		return 0
	}
	return min(ackLongest, t.Duration()/ackShare)
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
		if !q.acks.silent(now, q.longestHold()) {
			kept = append(kept, q)
			continue
		}
		q.acks.silence()
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
