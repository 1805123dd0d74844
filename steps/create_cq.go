package steps

import "context"

// createCQ makes one queue for the completions of all receives and of the one
// send that can be outstanding, so it cannot overflow.
func createCQ(_ context.Context, e *End) (err error) {
	e.CQ, err = e.Context.CreateCQ(e.Opts.RxDepth+1, e.Channel)
	return withLimits(err, e)
}
