package tui

import (
	"ibtour/steps"
	"ibtour/verbs/trace"
)

// moment is one thing to look at: a step before it is executed, or after.
type moment struct {
	stop  int
	after bool
}

// before tells whether m comes earlier in the run than o.
func (m moment) before(o moment) bool {
	if m.stop != o.stop {
		return m.stop < o.stop
	}
	return !m.after && o.after
}

// visit is what was recorded of one stop of the run.
type visit struct {
	id, title string
	phase     steps.Phase
	roles     []steps.Role
	together  bool

	started, done bool
	torn          bool // executed by the tear-down of a run that ended early
	before, after *steps.Snapshot
	calls         []call
	notices       []string
	details       []trace.Event
	changes       []steps.Change
	figures       []*steps.Figures
	packets       [2]int // the packets that were there before it, and after
	err           error
}

// call is one call of a step.
type call struct {
	end  steps.Role
	c    *trace.Call
	done bool
}

// history is everything a run told, in order.
type history struct {
	visits  []visit
	moments []moment
	at      int // stop being executed, -1 for none
	wire    ladder
	capture trace.Capture // the latest report on it; zero for a device that needs none
	reached map[steps.Role]*steps.Progress
	medians []float64 // of the round trips, as the iterations go on
	live    *steps.Snapshot
	stopped error // why the run ended early
	over    bool  // RunDone came
	err     error // with this error
}

func newHistory(stops []steps.Stop) *history {
	h := &history{at: -1, reached: map[steps.Role]*steps.Progress{}, wire: ladder{alone: oneEnd(stops)}}
	for i := range stops {
		s := &stops[i]
		v := visit{id: s.Step.ID, title: s.Step.Title, phase: s.Step.Phase, together: s.Step.Together}
		for _, e := range s.Ends {
			v.roles = append(v.roles, e.Role)
		}
		h.visits = append(h.visits, v)
	}
	return h
}

// oneEnd tells whether all stops are of the same end.
func oneEnd(stops []steps.Stop) bool {
	for i := range stops {
		for _, e := range stops[i].Ends {
			if e != stops[0].Ends[0] {
				return false
			}
		}
	}
	return true
}

// add takes note of an event.
func (h *history) add(ev *steps.Event) {
	switch ev.Kind {
	case steps.PacketSeen:
		if p, ok := ev.Detail.(trace.Packet); ok {
			h.wire.add(p, h.at)
		}
	case steps.Captured:
		h.capture, _ = ev.Detail.(trace.Capture)
	case steps.Stopping:
		h.stopped = ev.Err
	case steps.RunDone:
		h.over, h.err, h.at = true, ev.Err, -1
		h.live = nil
	case steps.Progressed:
		h.reached[ev.End] = ev.Reached
		if ev.End == steps.Client || len(h.visits[ev.Stop].roles) == 1 {
			h.medians = append(h.medians, float64(ev.Reached.RoundTrip.Median))
		}
	case steps.RunStarted, steps.Met:
	default:
		if ev.Stop >= 0 && ev.Stop < len(h.visits) {
			h.visit(&h.visits[ev.Stop], ev)
		}
	}
}

// visit takes note of an event of one stop.
func (h *history) visit(v *visit, ev *steps.Event) {
	switch ev.Kind {
	case steps.StepStarted:
		v.started, v.done, v.before, v.torn = true, false, ev.State, h.stopped != nil
		v.packets[0] = len(h.wire.rungs)
		h.at, h.live = ev.Stop, nil
		h.moments = append(h.moments, moment{stop: ev.Stop})
	case steps.CallStarted:
		v.calls = append(v.calls, call{end: ev.End, c: ev.Call})
	case steps.CallDone, steps.CallRepeated:
		v.returned(ev)
	case steps.StateChanged, steps.Completed:
		v.details = append(v.details, ev.Detail)
	case steps.Noticed:
		v.notices = append(v.notices, ev.Text)
	case steps.Measured:
		v.figures = append(v.figures, ev.Figures)
	case steps.StepDone:
		v.done, v.after, v.changes, v.err = true, ev.State, ev.Changes, ev.Err
		v.packets[1] = len(h.wire.rungs)
		h.live = nil
		h.moments = append(h.moments, moment{stop: ev.Stop, after: true})
	case steps.RunStarted, steps.PacketSeen, steps.Captured, steps.Met, steps.Progressed, steps.Stopping, steps.RunDone:
	}
}

// mostCalls bounds what is kept of a step that makes many different calls.
const mostCalls = 200

// returned puts a result to the call it belongs to.
func (v *visit) returned(ev *steps.Event) {
	for i := len(v.calls) - 1; i >= 0; i-- {
		c := &v.calls[i]
		same := c.end == ev.End && c.c.Op == ev.Call.Op
		if same && !c.done || same && ev.Kind == steps.CallRepeated && c.c.Result == ev.Call.Result {
			c.c, c.done = ev.Call, true
			return
		}
	}
	// A repeated call whose result differs was not announced.
	v.calls = append(v.calls, call{end: ev.End, c: ev.Call, done: true})
	if len(v.calls) > mostCalls {
		v.calls = append(v.calls[:1:1], v.calls[len(v.calls)-mostCalls/2:]...)
	}
}

// pending returns the call that was announced and has not returned.
func (v *visit) pending() *call {
	for i := range v.calls {
		if !v.calls[i].done {
			return &v.calls[i]
		}
	}
	return nil
}

// latest returns the index of the last moment that is not beyond m.
func (h *history) latest(m moment) int {
	for i := len(h.moments) - 1; i >= 0; i-- {
		if !m.before(h.moments[i]) {
			return i
		}
	}
	return -1
}

// snapshot returns the state at a moment, and the one to compare it with.
func (h *history) snapshot(i int) (now, before *steps.Snapshot) {
	if i < 0 || i >= len(h.moments) {
		return nil, nil
	}
	m := h.moments[i]
	v := &h.visits[m.stop]
	switch {
	case m.after:
		return v.after, v.before
	case !v.done && h.live != nil && m.stop == h.at:
		return h.live, v.before
	}
	return v.before, v.before
}
