package exchange

import (
	"context"
	"errors"
	"os"
	"time"
)

// Times. Both count inside one call only.
const (
	// DefaultTimeout ends a name lookup, a connect or a write.
	DefaultTimeout = 10 * time.Second
	// DefaultLimit is a good Patience.Limit for a run without a person.
	DefaultLimit = 60 * time.Second
	// DefaultEvery is the time between two notices.
	DefaultEvery = 5 * time.Second
)

// Patience says how long to wait for a message of the peer, which may be a
// tour that a person has paused. The zero value waits for ever, silently.
type Patience struct {
	Limit  time.Duration // give up after this time in one call; 0: never
	Every  time.Duration // time between notices; 0: DefaultEvery
	Notice func(Waiting) // called in the waiting goroutine; may be nil
}

// Waiting is a notice: a call still waits.
type Waiting struct {
	Phase  Phase
	Peer   string        // empty while no client has connected
	Waited time.Duration // in this call
	Got    int           // bytes of the message that have come so far

	lang string // of the text
}

func (p *Patience) notify(w Waiting) {
	if p.Notice != nil {
		p.Notice(w)
	}
}

// longAgo is a deadline that has passed. It wakes a blocked call.
var longAgo = time.Unix(1, 0)

// wait runs op, which must return os.ErrDeadlineExceeded when the deadline set
// with setDeadline passes, until it returns something else, until Limit or
// until ctx ends. ErrSilent is returned at Limit.
func (p Patience) wait(ctx context.Context, setDeadline func(time.Time) error, notice func(time.Duration), op func() error) error {
	defer wakeOnDone(ctx, setDeadline)()
	every := p.Every
	if every <= 0 {
		every = DefaultEvery
	}
	start := time.Now()
	for next := every; ; next += every {
		if p.Limit > 0 {
			next = min(next, p.Limit)
		}
		if err := setDeadline(start.Add(next)); err != nil {
			return err
		}
		// Asked after the deadline is set: had ctx ended just before, the
		// wake-up would have been overwritten.
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := op(); !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		waited := time.Since(start)
		if p.Limit > 0 && waited >= p.Limit {
			return ErrSilent
		}
		notice(waited)
	}
}

// wakeOnDone makes the end of ctx wake the blocked call. The function it
// returns undoes that, and leaves no deadline behind for the next call.
func wakeOnDone(ctx context.Context, setDeadline func(time.Time) error) func() {
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(woken)
		_ = setDeadline(longAgo) // fails only on a closed socket, which wakes too
	})
	return func() {
		if !stop() {
			<-woken
		}
		_ = setDeadline(time.Time{})
	}
}
