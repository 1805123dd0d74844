package tui

import (
	"ibtour/steps"
	"ibtour/verbs/kernel"
	"ibtour/verbs/trace"
)

// moment is one thing to look at: a step before it is executed, or after; of a
// step that is entered, also each call before it is made.
type moment struct {
	stop  int
	after bool
	call  int // of an entered step: which call is about to be made, from 1; else 0
}

// before tells whether m comes earlier in the run than o.
func (m moment) before(o moment) bool {
	switch {
	case m.stop != o.stop:
		return m.stop < o.stop
	case m.after != o.after:
		return o.after
	}
	return m.call < o.call
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
	seen *kernel.Seen // what the kernel showed of it; nil if it was not watched

	nth, of int             // its place in the step
	entered bool            // it was held by itself
	round   string          // of an entered call: the round it belongs to, said by the step
	before  *steps.Snapshot // of an entered call
	packets int             // of an entered call: those that were there before it
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
		h.announced(v, ev)
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

// announced takes note of a call that is about to be made. In an entered step
// it is a moment of its own; the first call of a step is shown with the step.
func (h *history) announced(v *visit, ev *steps.Event) {
	c := call{
		end: ev.End, c: ev.Call, nth: ev.Nth, of: ev.Of, entered: ev.Entered, before: ev.State, packets: len(h.wire.rungs),
	}
	if n := len(v.notices); n > 0 && v.together {
		c.round = v.notices[n-1]
	}
	v.calls = append(v.calls, c)
	if ev.Entered && (ev.Nth > 1 || v.together) {
		h.live = nil
		h.moments = append(h.moments, moment{stop: ev.Stop, call: ev.Nth})
	}
}

// numbered returns the call with that place in the step, nil if it was not told.
func (v *visit) numbered(nth int) *call {
	for i := range v.calls {
		if v.calls[i].nth == nth {
			return &v.calls[i]
		}
	}
	return nil
}

// mostCalls bounds what is kept of a step that makes many different calls. Those
// that were held by themselves are kept all.
const mostCalls = 200

// returned puts a result to the call it belongs to.
func (v *visit) returned(ev *steps.Event) {
	for i := len(v.calls) - 1; i >= 0; i-- {
		c := &v.calls[i]
		same := c.end == ev.End && c.c.Op == ev.Call.Op
		if same && !c.done || same && ev.Kind == steps.CallRepeated && c.c.Result == ev.Call.Result {
			c.c, c.done = ev.Call, true
			if ev.Seen != nil {
				c.seen = ev.Seen
			}
			return
		}
	}
	// A repeated call whose result differs was not announced.
	v.calls = append(v.calls, call{end: ev.End, c: ev.Call, done: true, nth: ev.Nth, of: ev.Of})
	v.trim()
}

// trim drops the oldest of too many calls, but not the first.
func (v *visit) trim() {
	entered := 0
	for i := range v.calls {
		if v.calls[i].entered {
			entered = i + 1
		}
	}
	first := max(entered, 1)
	if len(v.calls)-first > mostCalls {
		v.calls = append(v.calls[:first:first], v.calls[len(v.calls)-mostCalls/2:]...)
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
	case !v.done && h.live != nil && m.stop == h.at && !h.calledAfter(i):
		return h.live, h.earlier(i)
	case m.call > 0:
		return v.numbered(m.call).before, h.earlier(i)
	}
	return v.before, v.before
}

// calledAfter tells whether a later call of the same step is recorded.
func (h *history) calledAfter(i int) bool {
	return i+1 < len(h.moments) && h.moments[i+1].stop == h.moments[i].stop && !h.moments[i+1].after
}

// earlier returns the state that one at a moment is compared with: that of the
// call before in an entered step, else that before the step.
func (h *history) earlier(i int) *steps.Snapshot {
	m := h.moments[i]
	if m.call == 0 || i == 0 || h.moments[i-1].stop != m.stop || h.moments[i-1].call == 0 {
		return h.visits[m.stop].before
	}
	return h.visits[m.stop].numbered(h.moments[i-1].call).before
}
