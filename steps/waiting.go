package steps

import (
	"context"
	"runtime"
	"time"
)

// SilenceError is a peer that stays silent for longer than Options.Wait.
type SilenceError struct {
	After time.Duration
	lang  string // of the text
}

// Error says what most likely happened.
func (e *SilenceError) Error() string { return wordingIn(e.lang).silence.With(e.After) }

// patience limits a wait for the peer to Options.Wait; 0 waits for ever.
func (e *End) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	if e.Opts.Wait == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, e.Opts.Wait, &SilenceError{After: e.Opts.Wait, lang: e.Opts.Lang})
}

// Polling spins at first, as the original does, and then gives way to others:
// the peer may be a tour that stands still.
const (
	spins     = 20000
	restTime  = time.Millisecond
	tellAfter = 3 * time.Second
)

// poller counts the empty polls of one wait.
type poller struct {
	empty int
	since time.Time
	told  bool
}

// idle is called after an empty poll.
func (e *End) idle(ctx context.Context, p *poller) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	p.empty++
	if p.empty < spins {
		runtime.Gosched()
		return nil
	}
	if p.since.IsZero() {
		p.since = time.Now()
	}
	if waited := time.Since(p.since); !p.told && waited > tellAfter {
		p.told = true
		e.notify(e.say().polling.With())
	}
	timer := time.NewTimer(restTime)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil
}
