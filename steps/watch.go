package steps

import (
	"context"
	"sync"
	"time"
)

// lookEvery is how often a batch is looked at while it runs: often enough for
// an eye, too seldom to cost the loop a round trip.
const lookEvery = 100 * time.Millisecond

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
	w := &watch{pace: p, end: cancel, every: lookEvery, before: p.end.Flow.Received, heard: p.batch.Now()}
	if wait := p.end.Opts.Wait; wait > 0 {
		w.every = min(w.every, wait)
	}
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
