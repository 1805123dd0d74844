package steps

import (
	"time"

	"ibtour/verbs/trace"
)

// tap is the tracer of one end: it holds each call at the gate and turns it
// into events. Calls that repeat, such as 500 receives or many empty polls,
// are counted instead of held and told again.
type tap struct {
	runner *Runner
	end    *End
	last   *trace.Call
}

// Enter shows the call and waits at the gate.
func (t *tap) Enter(c *trace.Call) error {
	if t.repeats(c) {
		return nil
	}
	t.flush()
	t.tell(CallStarted, c)
	began := time.Now()
	err := t.runner.gate(t.end.ctx, Moment{Stop: t.end.at, Call: c})
	t.end.held += time.Since(began)
	return err
}

// Leave shows the result, unless it is the last one's once more.
func (t *tap) Leave(c *trace.Call) {
	if t.repeats(c) && t.last.Result == c.Result {
		t.last.Repeat++
		t.last.Duration += c.Duration
		return
	}
	t.flush()
	t.last = c
	t.tell(CallDone, c)
}

// repeats reports whether c is the call made just before, once more.
func (t *tap) repeats(c *trace.Call) bool {
	return t.last != nil && t.last.Op == c.Op && t.last.C() == c.C()
}

// flush tells how often the last call was repeated.
func (t *tap) flush() {
	if t.last != nil && t.last.Repeat > 1 {
		t.tell(CallRepeated, t.last)
	}
	t.last = nil
}

// tell emits a copy of the call, which goes on changing.
func (t *tap) tell(k Kind, c *trace.Call) {
	copied := *c
	t.runner.emitAt(t.end, Event{Kind: k, Call: &copied})
}

// Emit passes on what else happened.
func (t *tap) Emit(d trace.Event) {
	kind := Completed
	if _, ok := d.(trace.StateChange); ok {
		kind = StateChanged
	}
	t.runner.emitAt(t.end, Event{Kind: kind, Detail: d})
}
