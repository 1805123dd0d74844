package steps_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/softroce"
)

// entering executes the tour and enters a stop; it leaves it again in front of
// call number leave of it, 0 for never. before is called in front of each.
func entering(t *testing.T, o *steps.Options, stop string, leave int, before func(steps.Moment) error) ([]steps.Event, error) {
	t.Helper()
	var events []steps.Event
	r := &steps.Runner{
		Tour: &steps.RCPingPong, Opts: o, Driver: softroce.New(softroce.Options{}), Roles: both, Observe: true,
		Sink: func(ev steps.Event) { events = append(events, ev) },
	}
	r.Gate = func(ctx context.Context, m steps.Moment) error {
		if m.Stop.Name() != stop {
			return context.Cause(ctx)
		}
		switch {
		case m.Call == nil:
			r.Enter(m.Stop.Index)
		case m.Nth == leave:
			r.Leave()
		}
		if before != nil {
			return before(m)
		}
		return nil
	}
	err := r.Run(t.Context())
	return events, err
}

// told returns the events of calls of a stop.
func told(events []steps.Event, step string, end steps.Role, kinds ...steps.Kind) (out []steps.Event) {
	for _, ev := range events {
		if ev.Step == step && (end == "" || ev.End == end) && slices.Contains(kinds, ev.Kind) {
			out = append(out, ev)
		}
	}
	return out
}

// Every call of an entered step is held and told by itself, with its number
// and the state before it.
func TestEnteredStep(t *testing.T) {
	o := options()
	o.RxDepth = 5
	events, err := entering(t, o, "client/post_recv", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	started := told(events, "post_recv", steps.Client, steps.CallStarted)
	done := told(events, "post_recv", steps.Client, steps.CallDone, steps.CallRepeated)
	if len(started) != 5 || len(done) != 5 {
		t.Fatalf("%d calls announced and %d told, want 5", len(started), len(done))
	}
	for i, ev := range started {
		if ev.Nth != i+1 || ev.Of != 5 || !ev.Entered || ev.State == nil || done[i].Nth != i+1 || done[i].Call.Repeat != 1 || done[i].Call.Result != "0" {
			t.Errorf("call %d is %+v, with %+v", i+1, ev, done[i])
			continue
		}
		for _, e := range ev.State.Ends {
			if e.Role == steps.Client && e.QP.Queues.Recvs != uint64(i) {
				t.Errorf("before call %d there are %d receives", i+1, e.QP.Queues.Recvs)
			}
		}
	}
	// The other end was not entered: its calls are counted.
	if n := told(events, "post_recv", steps.Server, steps.CallStarted); len(n) != 1 || n[0].Nth != 1 || n[0].Of != 5 || n[0].Entered || n[0].State != nil {
		t.Errorf("the server's calls are told as %+v", n)
	}
}

// Whoever leaves a step has the rest counted, the last one told included.
func TestLeftStep(t *testing.T) {
	o := options()
	o.RxDepth = 500
	events, err := entering(t, o, "client/post_recv", 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	done := told(events, "post_recv", steps.Client, steps.CallDone)
	repeated := told(events, "post_recv", steps.Client, steps.CallRepeated)
	if len(done) != 3 || len(repeated) != 1 || repeated[0].Call.Repeat != 498 {
		t.Errorf("%d calls told by themselves and %+v, want 3, and the third as one of 498", len(done), repeated)
	}
}

// Iterations by hand are calls like those of the first one; the rest runs at
// full speed and is measured alone.
func TestIterationsByHand(t *testing.T) {
	for _, change := range []func(*steps.Options){
		func(*steps.Options) {},
		func(o *steps.Options) { o.Events = true },
		func(o *steps.Options) { o.Check = true; o.Size = 5000 },
		func(o *steps.Options) { o.RxDepth = 1 },
		func(o *steps.Options) { o.RxDepth, o.Events, o.Check = 2, true, true },
	} {
		o := options()
		o.Iters = 20
		change(o)
		t.Run(fmt.Sprintf("r%d-e%v-c%v", o.RxDepth, o.Events, o.Check), func(t *testing.T) {
			sends := 0
			events, err := byHand(t, o, func(m steps.Moment, leave func()) {
				if m.Call != nil && m.Call.Op == "ibv_post_send" {
					if sends++; sends == 7 { // of the client, in the fourth iteration
						leave()
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(told(events, "iterate", steps.Client, steps.Noticed)); n != 4 {
				t.Errorf("%d iterations by hand are told, want 4", n)
			}
			if got := told(events, "iterate", "", steps.Completed); len(got) < 14 {
				t.Errorf("%d completions are told of by hand, want at least 14", len(got))
			}
			for _, ev := range told(events, "iterate", "", steps.Measured) {
				want := map[steps.Role]int{steps.Client: 20 - 1 - 4, steps.Server: 20 - 1 - 4 - 1}[ev.End]
				if ev.Figures.Iters != want {
					t.Errorf("the %s measured %d round trips, want %d", ev.End, ev.Figures.Iters, want)
				}
			}
		})
	}
}

// byHand enters the iterations.
func byHand(t *testing.T, o *steps.Options, before func(m steps.Moment, leave func())) ([]steps.Event, error) {
	t.Helper()
	var events []steps.Event
	r := &steps.Runner{
		Tour: &steps.RCPingPong, Opts: o, Driver: softroce.New(softroce.Options{}), Roles: both,
		Sink: func(ev steps.Event) { events = append(events, ev) },
	}
	r.Gate = func(ctx context.Context, m steps.Moment) error {
		if m.Stop.Step.ID == "iterate" {
			if m.Call == nil {
				r.Enter(m.Stop.Index)
			}
			before(m, r.Leave)
		}
		return context.Cause(ctx)
	}
	err := r.Run(t.Context())
	return events, err
}

// All iterations can be made by hand; then there is nothing to measure.
func TestEveryIterationByHand(t *testing.T) {
	for _, events := range []bool{false, true} {
		o := options()
		o.Iters, o.RxDepth, o.Events = 6, 2, events
		got, err := byHand(t, o, func(steps.Moment, func()) {})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(told(got, "iterate", steps.Client, steps.Noticed)); n != 5 {
			t.Errorf("%d iterations by hand are told, want 5", n)
		}
		if m := told(got, "iterate", "", steps.Measured); len(m) != 0 {
			t.Errorf("figures of what was not run at full speed: %+v", m)
		}
	}
}

// Wherever an iteration by hand is ended, everything is torn down.
func TestByHandIsTornDown(t *testing.T) {
	for n := 1; n <= 12; n++ {
		o := options()
		o.Events = n%2 == 0
		at := 0
		events, err := entering(t, o, "iterate", 0, func(m steps.Moment) error {
			if at++; at == n {
				return errEnough
			}
			return nil
		})
		if !errors.Is(err, errEnough) {
			t.Fatalf("moment %d: the run ends with %v", n, err)
		}
		assertReverse(t, n, events)
	}
}

// Every call that is held is watched, and no other: not those that are counted,
// not full speed.
func TestWatchedCalls(t *testing.T) {
	for _, watch := range []bool{false, true} {
		o := options()
		o.RxDepth = 5
		var events []steps.Event
		r := &steps.Runner{
			Tour: &steps.RCPingPong, Opts: o, Driver: softroce.New(softroce.Options{}), Roles: both, Watch: watch,
			Sink: func(ev steps.Event) { events = append(events, ev) },
		}
		if err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		held := map[string]bool{} // by end and place
		for _, ev := range events {
			key := fmt.Sprint(ev.End, ev.Stop, ev.Nth)
			switch {
			case ev.Kind == steps.CallStarted:
				held[key] = true
			case ev.Kind == steps.CallDone && (ev.Seen != nil) != (watch && held[key]):
				t.Errorf("watching is %v, and %s of %s has %+v", watch, ev.Call.Op, ev.Step, ev.Seen)
			case ev.Kind != steps.CallDone && ev.Seen != nil:
				t.Errorf("%s of %s has %+v", ev.Kind, ev.Step, ev.Seen)
			}
		}
	}
}
