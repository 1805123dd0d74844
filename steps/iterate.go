package steps

import "context"

// iterate runs the remaining iterations at full speed: it lets the rules run
// ahead for many turns, has the turns executed at once, and then tells the
// rules what really happened.
func iterate(ctx context.Context, e *End) error {
	b, err := e.QP.NewBatch(e.CQ, e.Opts.Events, e.sendWR(), e.recvWR())
	if err != nil {
		return err
	}
	p := newPace(e, b)
	for !e.Flow.Done() {
		if err = p.next(ctx); err != nil {
			break
		}
	}
	e.Figures.summarise()
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	return err
}
