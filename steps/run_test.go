package steps_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var both = []steps.Role{steps.Server, steps.Client}

// options returns those of a short walk; port 0 lets the system choose one.
func options() *steps.Options {
	o := steps.DefaultOptions()
	o.Device, o.TCPPort, o.Iters, o.RxDepth, o.Walk = softroce.DefaultName, 0, 5, 3, true
	return &o
}

// run executes the tour on both ends of a soft0 and returns its events.
func run(t *testing.T, o *steps.Options, gate steps.Gate) ([]steps.Event, error) {
	t.Helper()
	var events []steps.Event
	d := &counting{Driver: softroce.New(softroce.Options{})}
	r := steps.Runner{
		Tour: &steps.RCPingPong, Opts: o, Driver: d, Roles: both, Gate: gate, Observe: true,
		Sink: func(ev steps.Event) { events = append(events, ev) },
	}
	err := r.Run(t.Context())
	if d.open != 0 {
		t.Errorf("%d devices are still open", d.open)
	}
	return events, err
}

// counting is a driver that knows how many of its devices are open. Closing
// one with objects left on it is refused, so an open device is a leak of all.
type counting struct {
	verbs.Driver
	open int
}

func (c *counting) DeviceList() (verbs.List, error) {
	l, err := c.Driver.DeviceList()
	return countingList{l, c}, err
}

type countingList struct {
	verbs.List
	c *counting
}

func (l countingList) Open(i int) (verbs.DriverContext, error) {
	dc, err := l.List.Open(i)
	if err == nil {
		l.c.open++
	}
	return countingContext{dc, l.c}, err
}

type countingContext struct {
	verbs.DriverContext
	c *counting
}

func (x countingContext) Close() error {
	err := x.DriverContext.Close()
	if err == nil {
		x.c.open--
	}
	return err
}

func TestRunToTheEnd(t *testing.T) {
	for _, change := range []func(*steps.Options){
		func(*steps.Options) {},
		func(o *steps.Options) { o.Events = true },
		func(o *steps.Options) { o.Check = true; o.Size = 5000 },
		func(o *steps.Options) { o.Iters, o.RxDepth = 1, 1 },
		func(o *steps.Options) { o.Iters, o.RxDepth, o.Events = 500, 1, true },
		func(o *steps.Options) { o.Walk, o.Iters = false, 2000 },
		func(o *steps.Options) { o.Walk, o.Events, o.Check = false, true, true },
	} {
		o := options()
		change(o)
		t.Run(fmt.Sprintf("n%d-r%d-e%v-c%v-w%v", o.Iters, o.RxDepth, o.Events, o.Check, o.Walk), func(t *testing.T) {
			events, err := run(t, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			assertFigures(t, o, events)
			last := events[len(events)-1]
			if last.Kind != steps.RunDone || last.Error != "" {
				t.Errorf("the last event is %s with error %q", last.Kind, last.Error)
			}
		})
	}
}

// assertFigures asserts how many round trips each end measured: what ran at
// full speed. The server's first receive answers nothing.
func assertFigures(t *testing.T, o *steps.Options, events []steps.Event) {
	t.Helper()
	want := map[steps.Role]int{steps.Client: o.Iters, steps.Server: o.Iters - 1}
	if o.Walk {
		want = map[steps.Role]int{steps.Client: o.Iters - 1, steps.Server: max(o.Iters-2, 0)}
	}
	got := map[steps.Role]int{}
	for _, ev := range events {
		if ev.Kind == steps.Measured {
			got[ev.End] = ev.Figures.Iters
			if b := ev.Figures.Bytes(); b != int64(2*o.Size*ev.Figures.Iters) {
				t.Errorf("%s: %d bytes", ev.End, b)
			}
		}
	}
	for role, n := range want {
		if got[role] != n {
			t.Errorf("the %s measured %d round trips, want %d", role, got[role], n)
		}
	}
}

var errEnough = errors.New("enough")

// Every prefix of the tour is torn down in order, whatever it is: the run is
// ended before each step and before each call.
func TestEveryPrefixIsTornDown(t *testing.T) {
	o := options()
	o.Events = true
	for n := 1; ; n++ {
		at, reached, where := 0, false, ""
		events, err := run(t, o, func(_ context.Context, m steps.Moment) error {
			if at++; at == n {
				reached, where = true, m.Stop.Name()
				if m.Call != nil {
					where += " " + m.Call.Op
				}
				return errEnough
			}
			return nil
		})
		if !reached {
			if err != nil {
				t.Fatalf("moment %d: %v", n, err)
			}
			if n < 140 {
				t.Errorf("the run has %d moments, want at least 140", n-1)
			}
			return
		}
		if !errors.Is(err, errEnough) {
			t.Fatalf("moment %d (%s): the run ends with %v", n, where, err)
		}
		assertReverse(t, n, events)
	}
}

// assertReverse asserts that of each end's objects none is destroyed before
// what depends on it.
func assertReverse(t *testing.T, n int, events []steps.Event) {
	t.Helper()
	order := []string{
		"ibv_destroy_qp", "ibv_destroy_cq", "ibv_dereg_mr", "munmap", "ibv_dealloc_pd",
		"ibv_destroy_comp_channel", "ibv_close_device", "ibv_free_device_list",
	}
	last := map[steps.Role]int{}
	for _, ev := range events {
		if ev.Kind != steps.CallDone {
			continue
		}
		if i := slices.Index(order, ev.Call.Op); i >= 0 {
			if i < last[ev.End] {
				t.Errorf("moment %d: %s %s comes too late", n, ev.End, ev.Call.Op)
			}
			last[ev.End] = i
		}
	}
}

// A panic in any step becomes an error, and everything is torn down.
func TestPanicInEveryStep(t *testing.T) {
	for i := range steps.RCPingPong.Steps {
		tour := steps.Tour{Name: "broken", Steps: slices.Clone(steps.RCPingPong.Steps)}
		s := &tour.Steps[i]
		s.Do = func(context.Context, *steps.End) error { panic(s.ID) }
		o := options()
		o.Events = true
		d := &counting{Driver: softroce.New(softroce.Options{})}
		r := steps.Runner{Tour: &tour, Opts: o, Driver: d, Roles: both}
		err := r.Run(t.Context())
		var p *steps.PanicError
		if !errors.As(err, &p) || p.Value != s.ID || len(p.Stack) == 0 {
			t.Errorf("a panic in %s gives %v", s.ID, err)
		}
		if d.open != 0 {
			t.Errorf("a panic in %s leaves %d devices open", s.ID, d.open)
		}
	}
}

// So does a panic of those who look on: the gate before a step and before a
// call, the reader of the events.
func TestPanicOfAnObserver(t *testing.T) {
	for name, set := range map[string]func(*steps.Runner){
		"gate of a step": func(r *steps.Runner) {
			r.Gate = func(_ context.Context, m steps.Moment) error {
				if m.Call == nil && m.Stop.Step.ID == "reg_mr" {
					panic("injected")
				}
				return nil
			}
		},
		"gate of a call": func(r *steps.Runner) {
			r.Gate = func(_ context.Context, m steps.Moment) error {
				if m.Call != nil && m.Call.Op == "ibv_reg_mr" {
					panic("injected")
				}
				return nil
			}
		},
		"sink": func(r *steps.Runner) {
			r.Sink = func(ev steps.Event) {
				if ev.Kind == steps.StepDone && ev.Step == "reg_mr" {
					panic("injected")
				}
			}
		},
	} {
		d := &counting{Driver: softroce.New(softroce.Options{})}
		r := steps.Runner{Tour: &steps.RCPingPong, Opts: options(), Driver: d, Roles: both}
		set(&r)
		err := r.Run(t.Context())
		var p *steps.PanicError
		if !errors.As(err, &p) || p.Value != "injected" {
			t.Errorf("a panic of the %s gives %v", name, err)
		}
		if d.open != 0 {
			t.Errorf("a panic of the %s leaves %d devices open", name, d.open)
		}
	}
}

// What a learner sees of a step: the call before it is made, then its result,
// then what it changed.
func TestEventsOfAStep(t *testing.T) {
	events, err := run(t, options(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, ev := range events {
		if ev.Step == "qp_init" && ev.End == steps.Client {
			got = append(got, string(ev.Kind))
		}
	}
	want := "step_started call call_done state step_done"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("the events of qp_init are %q, want %q", s, want)
	}
	for _, ev := range events {
		switch {
		case ev.Step != "qp_init" || ev.End != steps.Client:
		case ev.Kind == steps.CallStarted && ev.Call.Result != "":
			t.Error("a call has a result before it is made")
		case ev.Kind == steps.StepDone:
			assertChange(t, ev.Changes, steps.Change{Name: "client.qp.state", From: "RESET", To: "INIT"})
			assertChange(t, ev.Changes, steps.Change{Name: "client.qp.port_num", To: "1"})
		}
	}
}

func assertChange(t *testing.T, changes []steps.Change, want steps.Change) {
	t.Helper()
	if !slices.Contains(changes, want) {
		t.Errorf("the changes are %+v, want %+v among them", changes, want)
	}
}

// Repeated calls are told once, and then counted.
func TestRepeatedCalls(t *testing.T) {
	o := options()
	o.RxDepth = 500
	events, err := run(t, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	told, repeats := 0, 0
	for _, ev := range events {
		if ev.Step != "post_recv" || ev.End != steps.Client {
			continue
		}
		if ev.Kind == steps.CallDone {
			told++
		}
		if ev.Kind == steps.CallRepeated {
			repeats = ev.Call.Repeat
		}
	}
	if told != 1 || repeats != 500 {
		t.Errorf("500 receives are told %d times and counted as %d, want 1 and 500", told, repeats)
	}
}

// A step that fails ends the run, and the error says where and why.
func TestFailureStopsTheRun(t *testing.T) {
	o := options()
	o.GIDIdx = 200
	events, err := run(t, o, nil)
	if !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENODATA) {
		t.Fatalf("GID 200 gives %v", err)
	}
	var se *steps.StepError
	if !errors.As(err, &se) || se.Stop != "client/query_gid" {
		t.Errorf("the failing step is %+v", se)
	}
	stopping := slices.IndexFunc(events, func(ev steps.Event) bool { return ev.Kind == steps.Stopping })
	if stopping < 0 || !strings.Contains(events[stopping].Error, "GID 200") {
		t.Errorf("the run does not say why it stops")
	}
}
