package steps

import (
	"context"
	"sync"
	"time"
)

// A look wakes the Go runtime, which on a busy machine costs hundreds of round
// trips. So a batch is looked at as often as an eye needs only where somebody
// watches. Elsewhere it is over before the first look, unless the link is slow.
const (
	lookOften  = 100 * time.Millisecond
	lookSeldom = 2 * time.Second
	waitShares = 8 // looks in Options.Wait, at least
)

// looks returns the time between two looks.
func (e *End) looks() time.Duration {
	every := lookSeldom
	if e.live {
		every = lookOften
	}
	if share := e.Opts.Wait / waitShares; share > 0 {
		every = min(every, share)
	}
	return every
}

// watch looks at a batch while it runs. It takes the times of the turns into
// the figures, tells how far they are, and ends the batch when the peer has
// been silent for longer than Options.Wait: a slow peer is not a silent one.
type watch struct {
	pace   *pace
	end    context.CancelCauseFunc
	timer  *time.Timer
	every  time.Duration
	before int   // messages received before the batch
	heard  int64 // when the last turn was completed, on the loop's clock

	mu    sync.Mutex
	over  bool
	chunk [256]int64
}

// watch begins to watch the batch that is about to run. The context ends when
// the peer is silent. The batch is the caller's again after stop.
func (p *pace) watch(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{pace: p, end: cancel, every: p.end.looks(), before: p.end.Flow.Received, heard: p.batch.Now()}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(w.every, w.look)
	return ctx, w.stop
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.timer.Stop()
	w.end(nil)
}

// look is what the timer calls.
func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	e := w.pace.end
	switch wait := e.Opts.Wait; {
	case w.times() > 0:
		p := e.progress()
		p.Done = w.before + w.pace.answered
		e.advance(p)
	case wait > 0 && time.Duration(w.pace.batch.Now()-w.heard) >= wait:
		w.end(&SilenceError{After: wait, lang: e.Opts.Lang})
		return
	}
	w.timer.Reset(w.every)
}

// times takes the turns completed since the last look and returns how many
// there were.
func (w *watch) times() int {
	total := 0
	for {
		n := w.pace.batch.Stamps(w.pace.timed, w.chunk[:])
		if n == 0 {
			return total
		}
		w.pace.times(w.chunk[:n])
		w.heard = w.chunk[n-1]
		total += n
	}
}
