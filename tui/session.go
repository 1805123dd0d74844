package tui

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// place is where a run stands: in front of call n of a stop, counted from 1;
// 0 is in front of the stop itself.
type place struct{ stop, call int }

func (p place) before(o place) bool {
	return p.stop < o.stop || p.stop == o.stop && p.call < o.call
}

// session runs a tour in its own goroutine. The model tells it how far it may
// go; it tells the model what happened, in batches.
type session struct {
	runner *steps.Runner
	ctx    context.Context //nolint:containedctx // of the run, from its making to its start
	cancel context.CancelCauseFunc
	send   func(tea.Msg)
	guard  func()        // deferred by the goroutines
	wake   chan struct{} // there are events
	ended  chan struct{} // Run returned

	mu      sync.Mutex
	queue   []steps.Event
	permit  place         // passes are those before it
	allowed chan struct{} // closed when permit grows
	stop    int           // counts the calls of this stop
	calls   int
	fast    bool // at full speed: most packets are counted, not kept
	packets int  // kept since fast
	skipped int
}

// Messages of a session.
type (
	// eventsMsg brings what happened since the last one.
	eventsMsg struct {
		from    *session
		events  []steps.Event
		skipped int // packets counted and not kept
	}
	// heldMsg says that the run waits.
	heldMsg struct {
		from *session
		at   place
	}
	// lookMsg brings a state that changed while the run waits.
	lookMsg struct {
		from  *session
		stop  int
		state *steps.Snapshot
	}
)

// newSession prepares a run that ends with ctx.
func newSession(ctx context.Context, r *steps.Runner, send func(tea.Msg)) *session {
	ctx, cancel := context.WithCancelCause(ctx)
	s := &session{
		ctx: ctx, cancel: cancel,
		runner: r, send: send, guard: func() {}, wake: make(chan struct{}, 1), ended: make(chan struct{}),
		allowed: make(chan struct{}), permit: place{0, 0}, stop: -1,
	}
	r.Sink, r.Gate, r.Observe, r.Watch = s.sink, s.gate, true, true
	return s
}

// start lets the run begin.
func (s *session) start() {
	go s.pump()
	go func() {
		defer close(s.ended)
		defer s.guard()
		_ = s.runner.Run(s.ctx) // RunDone carries the error
	}()
}

// into enters the step the run stands at: it lets the run make the call it
// stands at, if there is one yet, and no other.
func (s *session) into() {
	s.mu.Lock()
	p := place{s.stop, s.calls + 1}
	s.runner.Enter(s.stop)
	s.mu.Unlock()
	s.allow(p)
}

// leave ends into: calls that repeat are counted again, and what all ends take
// together goes on at full speed.
func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop < 0 || !s.runner.Entered(s.stop) {
		return
	}
	s.runner.Leave()
	if s.runner.Stops()[s.stop].Step.Together {
		s.fast, s.packets, s.skipped = true, 0, 0
	}
}

// allow lets the run go on up to p.
func (s *session) allow(p place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.permit.before(p) {
		s.permit = p
		close(s.allowed)
		s.allowed = make(chan struct{})
	}
}

// permits tells whether the run may pass a place.
func (s *session) permits(p place) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return p.before(s.permit)
}

// limit takes a permission back that was not used yet.
func (s *session) limit(p place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.before(s.permit) {
		s.permit = p
	}
}

// While the run waits, the state is looked at: often at first, less and less
// while nothing changes, and never for more than a part of the time.
const (
	lookEvery = 250 * time.Millisecond
	lookLeast = 2 * time.Second
	lookShare = 200
)

// gate is the steps.Gate of the tour.
func (s *session) gate(ctx context.Context, m steps.Moment) error {
	at, allowed := s.arrive(m)
	if allowed == nil {
		return context.Cause(ctx)
	}
	s.send(heldMsg{s, at})
	pause := lookEvery
	timer := time.NewTimer(pause)
	defer timer.Stop()
	var last *steps.Snapshot
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-allowed:
			if allowed = s.passes(at, m); allowed == nil {
				return context.Cause(ctx)
			}
		case <-timer.C:
			began := time.Now()
			if now := m.Look(); last == nil || !last.Same(now) {
				last, pause = now, lookEvery
				s.send(lookMsg{s, at.stop, now})
			}
			timer.Reset(max(pause, lookShare*time.Since(began)))
			pause = min(2*pause, lookLeast)
		}
	}
}

// arrive counts a moment and returns the channel to wait on, nil to pass.
func (s *session) arrive(m steps.Moment) (place, chan struct{}) {
	s.mu.Lock()
	if m.Stop.Index != s.stop {
		s.stop, s.calls = m.Stop.Index, 0
	}
	if m.Call != nil {
		s.calls++
	}
	at := place{s.stop, s.calls}
	s.mu.Unlock()
	return at, s.passes(at, m)
}

func (s *session) passes(at place, m steps.Moment) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !at.before(s.permit) {
		return s.allowed
	}
	if m.Stop.Step.Together && m.Call == nil && !s.runner.Entered(m.Stop.Index) {
		s.fast, s.packets, s.skipped = true, 0, 0
	}
	return nil
}

// keptPackets is how many packets are kept of the iterations at full speed.
const keptPackets = 200

// packet is told of every packet: by a software device, which is locked
// meanwhile, or by a capture.
func (s *session) packet(p trace.Packet) {
	s.mu.Lock()
	if s.fast {
		if s.packets >= keptPackets {
			s.skipped++
			s.mu.Unlock()
			return
		}
		s.packets++
	}
	s.mu.Unlock()
	s.runner.Packet(p)
}

// sink queues an event. Of the progress only the latest counts.
func (s *session) sink(ev steps.Event) {
	s.mu.Lock()
	if n := len(s.queue); ev.Kind == steps.Progressed && n > 0 &&
		s.queue[n-1].Kind == ev.Kind && s.queue[n-1].End == ev.End {
		s.queue[n-1] = ev
	} else {
		s.queue = append(s.queue, ev)
	}
	if ev.Kind == steps.StepDone {
		s.fast = false
	}
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Batches of events do not follow each other faster than a screen shows them,
// and slower while every cycle belongs to the ping-pong.
const (
	calmBatch = 12 * time.Millisecond
	fastBatch = 120 * time.Millisecond
)

// pump passes the events on.
func (s *session) pump() {
	defer s.guard()
	for {
		select {
		case <-s.wake:
			s.flush()
		case <-s.ended:
			s.flush()
			return
		}
	}
}

func (s *session) flush() {
	s.mu.Lock()
	msg := eventsMsg{s, s.queue, s.skipped}
	s.queue = nil
	pause := calmBatch
	if s.fast {
		pause = fastBatch
	}
	s.mu.Unlock()
	if len(msg.events) == 0 {
		return
	}
	s.send(msg)
	if len(msg.events) > 8 || pause == fastBatch {
		timer := time.NewTimer(pause)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-s.ended:
		}
	}
}
