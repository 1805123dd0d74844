package steps_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

// slow is a driver whose loops take their time before each turn, in a bubble
// of synctest, and after so many turns wait for ever.
type slow struct {
	verbs.Driver
	pause time.Duration
	turns int
}

func (s slow) DeviceList() (verbs.List, error) {
	l, err := s.Driver.DeviceList()
	return slowList{l, s}, err
}

type slowList struct {
	verbs.List
	s slow
}

func (l slowList) Open(i int) (verbs.DriverContext, error) {
	dc, err := l.List.Open(i)
	return slowContext{dc, l.s}, err
}

type slowContext struct {
	verbs.DriverContext
	s slow
}

func (c slowContext) NewTurnLoop(spec verbs.TurnSpec) (verbs.TurnLoop, error) {
	return verbs.NewTurnLoop(slowContext{c.DriverContext, c.s}.counting(), spec), nil
}

// counting returns a context that pauses in each wait for an event.
func (c slowContext) counting() verbs.DriverContext {
	return &pausing{DriverContext: c.DriverContext, s: c.s}
}

type pausing struct {
	verbs.DriverContext
	s     slow
	turns int
}

func (p *pausing) GetCQEvent(ch verbs.Handle, stop <-chan struct{}) (verbs.Handle, error) {
	var timer <-chan time.Time // nil: never
	if p.turns++; p.turns <= p.s.turns {
		timer = time.After(p.s.pause)
	}
	select {
	case <-timer:
		return p.DriverContext.GetCQEvent(ch, stop)
	case <-stop:
		return nil, verbs.ErrStopped
	}
}

// slowRun runs both ends with events on a slow device, with a patience of a
// minute. It returns the progress of the client, how long the run took and its
// error.
func slowRun(t *testing.T, s slow, live bool) (reached []steps.Progress, took time.Duration, err error) {
	t.Helper()
	o := options()
	o.Walk, o.Events, o.Iters, o.Wait = false, true, 20, time.Minute
	o.Host = "127.0.0.1" // a name would be looked up outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		s.Driver = softroce.New(softroce.Options{})
		r := steps.Runner{Tour: &steps.RCPingPong, Opts: o, Driver: s, Roles: both, Live: live, Sink: func(ev steps.Event) {
			if ev.Kind == steps.Progressed && ev.End == steps.Client {
				reached = append(reached, *ev.Reached)
			}
		}}
		began := time.Now()
		err = r.Run(context.Background())
		took = time.Since(began)
	})
	return reached, took, err
}

// A peer that takes ten seconds for each message is slow and not silent,
// however many messages a batch has; and progress shows within the batch.
func TestSlowIsNotSilent(t *testing.T) {
	reached, took, err := slowRun(t, slow{pause: 10 * time.Second, turns: 1 << 30}, true)
	if err != nil {
		t.Fatal(err)
	}
	if took < 3*time.Minute {
		t.Fatalf("20 slow messages took only %v", took)
	}
	for i, p := range reached[1:] {
		if p.Done < reached[i].Done || p.Done > reached[i].Done+1 {
			t.Errorf("progress goes from %d to %d messages", reached[i].Done, p.Done)
		}
	}
	if last := reached[len(reached)-1]; len(reached) < 20 || last.Done != 20 || last.RoundTrip.Min < 10*time.Second {
		t.Errorf("%d reports of progress, the last is %+v; want at least 20, up to message 20, none quicker than 10 s", len(reached), last)
	}
}

// A peer that goes silent in the middle of a batch is waited for as long as
// Options.Wait says, counted from its last message.
func TestSilentWithinABatch(t *testing.T) {
	for _, live := range []bool{true, false} {
		reached, took, err := slowRun(t, slow{pause: 10 * time.Second, turns: 10}, live)
		var silence *steps.SilenceError
		if !errors.As(err, &silence) || silence.After != time.Minute {
			t.Fatalf("a peer that goes silent gives %v", err)
		}
		if last := reached[len(reached)-1].Done; last < 2 || last > 10 {
			t.Errorf("progress stops at message %d", last)
		}
		// Up to 10 events after 10 s each, a minute, and the time to the next look.
		if took < time.Minute+20*time.Second || took > 10*10*time.Second+time.Minute+3*time.Second {
			t.Errorf("the run took %v", took)
		}
	}
}

// Where nobody watches, a slow peer is not silent either, and its progress is
// told.
func TestSlowWithoutWatchers(t *testing.T) {
	reached, _, err := slowRun(t, slow{pause: 10 * time.Second, turns: 1 << 30}, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(reached) < 20 || reached[len(reached)-1].Done != 20 {
		t.Errorf("%d reports of progress, the last is %+v; want at least 20, up to message 20", len(reached), reached[len(reached)-1])
	}
}
