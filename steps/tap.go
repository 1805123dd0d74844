package steps

import (
	"runtime"
	"time"

	"ibtour/verbs/kernel"
	"ibtour/verbs/trace"
)

// tap is the tracer of one end: it holds each call at the gate and turns it
// into events. Calls that repeat, such as 500 receives or many empty polls,
// are counted instead of held and told again, unless the step is entered.
type tap struct {
	runner   *Runner
	end      *End
	last     *trace.Call
	now      place // of the call being made
	watching *kernel.Watching
}

// place is where a call stands in its step.
type place struct {
	nth, of int
	told    bool // it was announced and held, not counted
	entered bool
}

// Enter shows the call and waits at the gate.
func (t *tap) Enter(c *trace.Call) error {
	nth, of := t.runner.nextCall()
	entered := t.end.at != nil && t.runner.Entered(t.end.at.Index)
	t.now = place{nth, of, entered || !t.repeats(c), entered}
	if !t.now.told {
		return nil
	}
	t.flush()
	t.announce(c)
	began := time.Now()
	err := t.runner.gate(t.end.ctx, Moment{Stop: t.end.at, Call: c, Nth: nth, Of: of})
	t.end.held += time.Since(began)
	if err == nil {
		t.watch()
	}
	return err
}

// Leave shows the result, unless it is the last one's once more.
func (t *tap) Leave(c *trace.Call) {
	seen := t.unwatch()
	if !t.now.told && t.repeats(c) && t.last.Result == c.Result {
		t.last.Repeat++
		t.last.Duration += c.Duration
		return
	}
	t.flush()
	t.last = c
	t.tell(Event{Kind: CallDone, Seen: seen}, c)
}

// watch observes the thread from outside while it makes the call.
func (t *tap) watch() {
	if t.runner.Watch {
		runtime.LockOSThread()
		t.watching = kernel.Watch()
	}
}

// unwatch ends that; nil if nothing was observed.
func (t *tap) unwatch() *kernel.Seen {
	if t.watching == nil {
		return nil
	}
	seen := t.watching.End()
	t.watching = nil
	runtime.UnlockOSThread()
	return seen
}

// repeats reports whether c is the call made just before, once more.
func (t *tap) repeats(c *trace.Call) bool {
	return t.last != nil && t.last.Op == c.Op && t.last.C() == c.C()
}

// flush tells how often the last call was repeated.
func (t *tap) flush() {
	if t.last != nil && t.last.Repeat > 1 {
		t.tell(Event{Kind: CallRepeated}, t.last)
	}
	t.last = nil
}

// announce tells that a call is about to be made. In an entered step each call
// has the state before it.
func (t *tap) announce(c *trace.Call) {
	ev := Event{Kind: CallStarted}
	if t.now.entered {
		ev.State = t.runner.observe()
	}
	t.tell(ev, c)
}

// tell emits an event with a copy of the call, which goes on changing.
func (t *tap) tell(ev Event, c *trace.Call) {
	copied := *c
	ev.Call = &copied
	if ev.Kind != CallRepeated {
		ev.Nth, ev.Of, ev.Entered = t.now.nth, t.now.of, t.now.entered
	}
	t.runner.emitAt(t.end, ev)
}

// Emit passes on what else happened.
func (t *tap) Emit(d trace.Event) {
	kind := Completed
	if _, ok := d.(trace.StateChange); ok {
		kind = StateChanged
	}
	t.runner.emitAt(t.end, Event{Kind: kind, Detail: d})
}
