package tui

import (
	"bytes"

	"ibtour/verbs/capture"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// rung is one packet on its way from one end to the other.
type rung struct {
	stop    int // of the run, when it was seen
	p       trace.Packet
	parsed  wire.Packet
	err     error
	arrived bool   // seen at its receiver
	note    string // why the receiver dropped it
	again   bool   // the same packet was sent before
}

// ladder is every packet that was kept, in the order sent.
type ladder struct {
	rungs []rung
	alone bool // the receiver of what this process sends is elsewhere
	lost  int  // seen and not kept: the iterations at full speed
}

// mostRungs bounds what is kept; a walk has some hundred at most.
const mostRungs = 4096

func (l *ladder) add(p trace.Packet, stop int) {
	if !p.Sent && l.arrive(p) {
		return
	}
	if len(l.rungs) >= mostRungs {
		l.lost++
		return
	}
	r := rung{stop: stop, p: p, arrived: !p.Sent, note: p.Note}
	r.parsed, r.err = wire.Parse(p.Data)
	if p.Sent || l.alone { // of the peer, only what arrives is seen
		r.again = l.sent(&r)
	}
	l.rungs = append(l.rungs, r)
}

// arrive marks the newest copy of a packet that is still on its way: of one
// that was sent again, the first was lost.
func (l *ladder) arrive(p trace.Packet) bool {
	for i := len(l.rungs) - 1; i >= 0; i-- {
		r := &l.rungs[i]
		if !r.arrived && r.p.Sent && bytes.Equal(r.p.Data, p.Data) {
			r.arrived, r.note = true, p.Note
			return true
		}
	}
	return false
}

// missing tells that a packet did not arrive, as far as that can be seen. What
// becomes of it elsewhere only an answer tells.
func (l *ladder) missing(r *rung) bool { return !r.arrived && !l.alone }

// wrong tells that the ICRC is not that of the packet.
func (r *rung) wrong() bool {
	return r.p.Captured != nil && r.p.Captured.ICRC == string(capture.ICRCWrong)
}

// valid tells that the ICRC was checked and is right.
func (r *rung) valid() bool {
	return r.p.Captured != nil && r.p.Captured.ICRC == string(capture.ICRCValid)
}

// sent tells whether a request with this number was sent before.
func (l *ladder) sent(r *rung) bool {
	if r.err != nil || !r.parsed.Opcode.IsRequest() {
		return false
	}
	for i := range l.rungs {
		o := &l.rungs[i]
		if o.err == nil && o.parsed.DestQP == r.parsed.DestQP && o.parsed.PSN == r.parsed.PSN &&
			o.parsed.Opcode == r.parsed.Opcode && o.p.From == r.p.From {
			return true
		}
	}
	return false
}
