package steps

import (
	"cmp"
	"context"
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

	// Of the batch: turns from first on wait for a message of the peer, as many
	// as there are left; how many turns are in the figures, and how many
	// messages came with those.
	first, left     int
	timed, answered int
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
	p.plan()
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

// plan lets the rules run ahead. Every turn waits for a message as long as
// some are left; only the first may have got its message already.
func (p *pace) plan() {
	flow := &p.end.Flow
	p.first, p.left = len(p.turns), flow.Iters-flow.Received
	if flow.Expected()&RecvID == 0 {
		p.first++
	}
	p.timed, p.answered = 0, 0
	p.turns = flow.Plan(p.turns, p.size)
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
	ctx, stop := p.watch(ctx)
	defer stop()
	return p.batch.Run(ctx, p.turns, &p.res)
}

// account tells the rules and the figures what happened. What the rules ask
// for in return has been posted by the turns already.
func (p *pace) account() error {
	e, taken := p.end, 0
	for _, t := range p.turns[:p.res.Turns] {
		wcs := p.res.WC[taken : taken+int(t.Wait)]
		taken += int(t.Wait)
		if err := e.complete(wcs); err != nil {
			return err
		}
		e.due.Recvs -= int(t.Recvs)
		e.due.Sends -= int(t.Sends)
	}
	p.times(p.res.At[p.timed:p.res.Turns])
	return nil
}

// times takes the stamps of the next turns into the figures.
func (p *pace) times(at []int64) {
	f := p.end.Figures
	for _, now := range at {
		if p.timed >= p.first && p.timed < p.first+p.left {
			p.answered++
			f.answered(now)
		}
		if p.turns[p.timed].Sends > 0 {
			f.posted(now)
		}
		p.timed++
	}
}

func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
