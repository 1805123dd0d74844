package steps

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ibtour/verbs"
)

// pace cuts the iterations into batches: long enough that the cost of a batch
// does not show, short enough that progress does.
type pace struct {
	end   *End
	batch *verbs.Batch
	turns []verbs.Turn
	res   verbs.TurnResult
	size  int
}

// A batch starts with as many turns as move firstBytes, within limits, and
// grows as long as it takes less than the wanted time. Between two batches the
// Go runtime wakes up, which on a busy machine costs many round trips.
const (
	firstBytes = 32 << 20
	firstLeast = 8
	firstMost  = 1 << 13
	lastBatch  = 1 << 13
	wantedTime = 50 * time.Millisecond
)

func newPace(e *End, b *verbs.Batch) *pace {
	size := min(max(firstBytes/e.Opts.Size, firstLeast), firstMost)
	if e.Opts.Check {
		size = 1 // every message is looked at before the next is posted
	}
	e.Figures = newFigures(e)
	return &pace{end: e, batch: b, size: size}
}

// next executes one batch.
func (p *pace) next(ctx context.Context) error {
	e := p.end
	began := p.batch.Now()
	p.turns = p.turns[:0]
	if e.due != (Post{}) {
		p.turns = append(p.turns, verbs.Turn{Recvs: uint32(e.due.Recvs), Sends: uint32(e.due.Sends)})
	}
	if e.due.Sends > 0 {
		e.check.stamp()
	}
	p.turns = e.Flow.Plan(p.turns, p.size)
	if e.Opts.Check {
		p.holdLast()
	}
	err := p.run(ctx)
	if err := cmp.Or(err, p.account()); err != nil {
		return err
	}
	if took := time.Duration(p.batch.Now() - began); !e.Opts.Check && took < wantedTime && p.size < lastBatch {
		p.size *= 2
	}
	e.advance(e.progress())
	return nil
}

// holdLast keeps the posts of the last turn for the next batch, so that the
// message can be looked at in between.
func (p *pace) holdLast() {
	last := &p.turns[len(p.turns)-1]
	last.Recvs, last.Sends = 0, 0
}

func (p *pace) run(ctx context.Context) error {
	waits := 0
	for _, t := range p.turns {
		waits += int(t.Wait)
	}
	p.res.At = grown(p.res.At, len(p.turns))
	p.res.WC = grown(p.res.WC, waits)
	ctx, cancel := p.end.patience(ctx)
	defer cancel()
	return p.batch.Run(ctx, p.turns, &p.res)
}

// account tells the rules and the figures what happened. What the rules ask
// for in return has been posted by the turns already.
func (p *pace) account() error {
	e, taken := p.end, 0
	for i, t := range p.turns[:p.res.Turns] {
		wcs := p.res.WC[taken : taken+int(t.Wait)]
		taken += int(t.Wait)
		if err := e.complete(wcs); err != nil {
			return err
		}
		e.due.Recvs -= int(t.Recvs)
		e.due.Sends -= int(t.Sends)
		if slices.ContainsFunc(wcs, isRecv) {
			e.Figures.answered(p.res.At[i])
		}
		if t.Sends > 0 {
			e.Figures.posted(p.res.At[i])
		}
	}
	return nil
}

func isRecv(wc verbs.WC) bool { return wc.WRID == RecvID }

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
