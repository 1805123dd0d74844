package handout

import (
	"context"
	"errors"
	"sync"
	"time"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// Run is a walked run: all that the document tells of it. Give Event to the
// runner as its sink, and Gate as its gate.
type Run struct {
	Opts     *steps.Options
	Embedded bool   // on the device inside this program
	Version  string // of this program
	Began    time.Time
	Stops    []Stop
	Figures  []*steps.Figures

	mu sync.Mutex
	at int // index in Stops of the step being executed, -1 before the first
}

// Stop is one step of the run at its place.
type Stop struct {
	ID            string
	Number        int        // place in the run, from 1
	End           steps.Role // empty: both ends together
	Phase         steps.Phase
	Events        []steps.Event // what happened, in order, packets not included
	Packets       []trace.Packet
	More          int // packets that were not kept
	Changes       []steps.Change
	Took          time.Duration
	Before, After *steps.Snapshot
}

// mostPackets is how many packets of a step are kept; full speed has many.
const mostPackets = 16

// settle is how long the run waits before each step, so that the packets of the
// one before have all been seen and stand where they belong.
const settle = 5 * time.Millisecond

// NewRun returns a run that has not begun.
func NewRun(opts *steps.Options, version string) *Run {
	return &Run{Opts: opts, Version: version, at: -1}
}

// Gate lets the run through to its next step when the last one has settled.
func (r *Run) Gate(ctx context.Context, m steps.Moment) error {
	if m.Call == nil {
		select {
		case <-time.After(settle):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		r.mu.Lock()
		r.at = len(r.Stops) - 1
		r.mu.Unlock()
	}
	return context.Cause(ctx)
}

// Event takes note of what happened. Packets come from goroutines of the device.
func (r *Run) Event(ev steps.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch ev.Kind {
	case steps.RunStarted:
		r.Began = ev.Time
	case steps.StepStarted:
		r.Stops = append(r.Stops, Stop{
			ID: ev.Step, Number: ev.Stop + 1, End: ev.End, Phase: ev.Phase, Before: ev.State,
		})
	case steps.PacketSeen:
		r.packet(ev.Detail)
	case steps.CallDone, steps.CallRepeated, steps.StateChanged, steps.Completed, steps.Noticed, steps.Met:
		s := &r.Stops[len(r.Stops)-1]
		s.Events = append(s.Events, ev)
	case steps.Measured:
		r.Figures = append(r.Figures, ev.Figures)
	case steps.StepDone:
		s := &r.Stops[len(r.Stops)-1]
		s.Changes, s.Took, s.After = ev.Changes, ev.Took, ev.State
	case steps.RunDone:
		r.at = -1 // what a device may send from now on is no part of the run
	case steps.CallStarted, steps.Progressed, steps.Stopping, steps.Captured:
	}
}

// Took returns how long the steps took, without the time between them.
func (r *Run) Took() time.Duration {
	var d time.Duration
	for i := range r.Stops {
		d += r.Stops[i].Took
	}
	return d
}

// packet keeps a packet as it leaves its sender.
func (r *Run) packet(d trace.Event) {
	p, ok := d.(trace.Packet)
	if !ok || !p.Sent || r.at < 0 {
		return
	}
	s := &r.Stops[r.at]
	if len(s.Packets) == mostPackets {
		s.More++
		return
	}
	s.Packets = append(s.Packets, p)
}

// ErrEmpty is a run in which nothing happened.
var ErrEmpty = errors.New("nothing was executed")

// group is a step with the stops it was executed at, one after the other: both
// ends, or one.
type group struct {
	id     string
	number int
	stops  []Stop
}

// groups joins neighbouring stops of the same step.
func (r *Run) groups() []group {
	var out []group
	for _, s := range r.Stops {
		if n := len(out); n > 0 && out[n-1].id == s.ID {
			out[n-1].stops = append(out[n-1].stops, s)
			continue
		}
		out = append(out, group{id: s.ID, number: len(out) + 1, stops: []Stop{s}})
	}
	return out
}
