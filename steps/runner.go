package steps

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// Runner executes a tour on one end, or on both in this process.
type Runner struct {
	Tour   *Tour
	Opts   *Options
	Driver verbs.Driver
	Roles  []Role
	// Gate holds the run before every step and call; nil never holds.
	Gate Gate
	// Sink receives every event, one at a time.
	Sink func(Event)
	// Live tells of the progress ten times a second while the iterations run at
	// full speed, at the cost of some of it. Else it is told between batches, and
	// every 2 s in one that lasts longer.
	Live bool
	// Observe records the state before and after every step.
	Observe bool
	// Capture asks for the packets of a device of the kernel; nil leaves them
	// alone.
	Capture *Capture

	// Watch observes the system calls, files and mappings of every call that is
	// held by itself (kernel.Watch). It keeps such a call on one thread.
	Watch bool

	mu      sync.Mutex
	seq     int
	stops   []Stop
	ends    []*End
	nth, of int          // the call of the step being taken, and of how many
	wire    *capturing   // nil: nothing is to be captured
	entered atomic.Int64 // index of the stop whose calls are held one by one, plus 1
}

// Enter has every call of a stop held and told by itself, equal ones too, until
// Leave. It is meant for the gate, while it holds the run at this stop.
func (r *Runner) Enter(stop int) { r.entered.Store(int64(stop) + 1) }

// Leave ends Enter: the other calls of the stop are counted where they repeat,
// and what all ends take together goes on at full speed.
func (r *Runner) Leave() { r.entered.Store(0) }

// Entered tells whether a stop is entered.
func (r *Runner) Entered(stop int) bool { return r.entered.Load() == int64(stop)+1 }

// PanicError is a panic of a step, caught so that the tear-down could follow.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the value the step panicked with.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// StepError is a step that failed.
type StepError struct {
	Stop string // client/qp_rtr
	Err  error
}

// Error names the step and the reason.
func (e *StepError) Error() string { return e.Stop + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *StepError) Unwrap() error { return e.Err }

// Stops returns the run: every step at its place. It is settled before the
// run begins.
func (r *Runner) Stops() []Stop {
	if r.stops == nil {
		for _, role := range r.Roles {
			e := NewEnd(role, r.Opts, r.Driver)
			e.tap = &tap{runner: r, end: e}
			e.tracer, e.alone, e.live = e.tap, len(r.Roles) == 1, r.Live
			e.notify = func(text string) { r.emitAt(e, Event{Kind: Noticed, Text: text}) }
			e.advance = func(p Progress) { r.emitAt(e, Event{Kind: Progressed, Reached: &p}) }
			e.met = func(a Addresses) { r.emitAt(e, Event{Kind: Met, Address: &a}) }
			r.ends = append(r.ends, e)
		}
		r.stops = r.Tour.Stops(r.Opts, r.ends)
	}
	return r.stops
}

// Run executes the tour until it is finished, a step fails or ctx ends. Then,
// whatever the reason, everything that was made is torn down in order; that
// cannot be interrupted. The error is the first one, and says where it was.
func (r *Runner) Run(ctx context.Context) error {
	began := time.Now()
	stops := r.Stops()
	r.emit(Event{Kind: RunStarted, Stop: -1, Text: r.Tour.Name})
	r.wire = newCapturing(r)
	var failed error
	i := 0
	for ; i < len(stops) && failed == nil; i++ {
		failed = r.step(ctx, &stops[i])
	}
	if failed != nil {
		r.emit(Event{Kind: Stopping, Stop: i - 1, Error: failed.Error(), Err: failed})
		failed = errors.Join(failed, r.tearDown(stops[i:], &stops[i-1]))
	}
	if err := r.wire.close(); err != nil {
		failed = errors.Join(failed, err)
	}
	r.emit(Event{Kind: RunDone, Stop: -1, Took: time.Since(began), Err: failed, Error: text(failed)})
	return failed
}

// tearDown executes the tear-down that is left, of the steps that follow and
// of the one that failed if it was part of it, and makes sure of the rest.
func (r *Runner) tearDown(rest []Stop, at *Stop) error {
	ctx := context.Background()
	var errs []error
	if at.Step.Phase == TearDown {
		rest = append([]Stop{*at}, rest...)
	}
	gate, watch := r.Gate, r.Watch
	r.Gate, r.Watch = Open, false // no call is held, so none is watched
	defer func() { r.Gate, r.Watch = gate, watch }()
	for i := range rest {
		if rest[i].Step.Phase == TearDown {
			_ = r.step(ctx, &rest[i]) // what it leaves is taken up below
		}
	}
	for _, e := range r.ends {
		errs = append(errs, e.abandon())
	}
	return errors.Join(errs...)
}

// step takes one stop: look, gate, execute, look again. A panic on the way, be
// it of the step, the gate, the sink or an observation, is an error of the
// step, so that the tear-down follows.
func (r *Runner) step(ctx context.Context, s *Stop) (err error) {
	defer func() { err = caught(recover(), err) }()
	if s.Step.If != nil && !s.Step.If(s.Ends[0]) {
		return nil
	}
	before := r.start(ctx, s)
	if err := r.gate(ctx, Moment{Stop: s}); err != nil {
		return err
	}
	r.wire.before(s)
	began := time.Now()
	err = r.execute(ctx, s)
	took := time.Since(began)
	r.wire.after()
	for _, e := range s.Ends {
		e.tap.flush()
		took -= e.held
		if f := e.takeFigures(); f != nil && f.Iters > 0 {
			r.emitAt(e, Event{Kind: Measured, Figures: f})
		}
	}
	if err != nil && !errors.Is(err, context.Cause(ctx)) {
		err = &StepError{Stop: s.Name(), Err: err}
	}
	done := s.event(StepDone)
	done.Took, done.Err, done.Error = took, err, text(err)
	done.State = r.observe()
	done.Changes = Diff(before, done.State)
	r.emit(done)
	return err
}

// start announces a step and returns the state before it.
func (r *Runner) start(ctx context.Context, s *Stop) *Snapshot {
	for _, e := range s.Ends {
		e.ctx, e.at, e.held = ctx, s, 0
	}
	r.begin(s)
	ev := s.event(StepStarted)
	ev.Phase, ev.Title, ev.State = s.Step.Phase, s.Step.TitleIn(r.Opts.Lang), r.observe()
	r.emit(ev)
	return ev.State
}

// begin counts the calls of a stop from the start.
func (r *Runner) begin(s *Stop) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nth, r.of = 0, 0
	if s.Step.Calls != nil && len(s.Ends) == 1 {
		r.of = s.Step.Calls(s.Ends[0])
	}
}

// nextCall counts a call.
func (r *Runner) nextCall() (nth, of int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nth++
	return r.nth, r.of
}

// event returns an event of the stop.
func (s *Stop) event(k Kind) Event {
	ev := Event{Kind: k, Step: s.Step.ID, Stop: s.Index}
	if len(s.Ends) == 1 {
		ev.End = s.Ends[0].Role
	}
	return ev
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// execute runs the step on its ends. The first one that fails ends the others.
func (r *Runner) execute(ctx context.Context, s *Stop) error {
	if err := r.byHand(ctx, s); err != nil {
		return err
	}
	if len(s.Ends) == 1 {
		return guarded(s.Ends, func() error { return s.Step.Do(ctx, s.Ends[0]) })
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for _, e := range s.Ends {
		wg.Go(func() {
			if err := guarded([]*End{e}, func() error { return s.Step.Do(ctx, e) }); err != nil {
				cancel(fmt.Errorf("%s: %w", e.Role, err))
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// byHand makes round after round of a step for as long as it is entered.
func (r *Runner) byHand(ctx context.Context, s *Stop) error {
	if s.Step.ByHand == nil {
		return nil
	}
	for more := true; more && r.Entered(s.Index); {
		if err := guarded(s.Ends, func() (err error) {
			more, err = s.Step.ByHand(ctx, s.Ends)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// guarded makes a panic an error, so that the tear-down can follow.
func guarded(ends []*End, f func() error) (err error) {
	defer func() {
		if err = caught(recover(), err); err != nil {
			for _, e := range ends {
				e.tap.unwatch()
			}
		}
	}()
	return f()
}

// caught returns the error of a panic, or err if there was none.
func caught(value any, err error) error {
	if value == nil {
		return err
	}
	return &PanicError{Value: value, Stack: debug.Stack()}
}

func (r *Runner) gate(ctx context.Context, m Moment) error {
	if r.Gate == nil {
		return Open(ctx, m)
	}
	m.Look = func() *Snapshot { return Observe(r.ends) }
	return r.Gate(ctx, m)
}

// Packet tells of a packet that the device sent or received. A software device
// calls it from its own goroutines, a Capture from another; either lends the
// packet's data.
func (r *Runner) Packet(p trace.Packet) {
	r.emit(Event{Kind: PacketSeen, Stop: -1, Detail: p.Clone()})
}

func (r *Runner) observe() *Snapshot {
	if !r.Observe {
		return nil
	}
	return Observe(r.ends)
}

// emitAt emits an event of the step an end is at.
func (r *Runner) emitAt(e *End, ev Event) {
	ev.Stop, ev.End = -1, e.Role
	if e.at != nil {
		ev.Step, ev.Stop = e.at.Step.ID, e.at.Index
	}
	r.emit(ev)
}

func (r *Runner) emit(ev Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ev.Seq, ev.Time = r.seq, time.Now()
	r.seq++
	if r.Sink != nil {
		r.Sink(ev)
	}
}
