package steps

import "context"

// pollCQ takes completions from the queue until the rules ask for the next
// message, or nothing more can come.
func pollCQ(ctx context.Context, e *End) error {
	ctx, cancel := e.patience(ctx)
	defer cancel()
	for wait := (poller{}); e.due.Sends == 0 && e.Flow.Expected() != 0; {
		n, err := e.CQ.Poll(e.wc[:])
		if err != nil {
			return err
		}
		if err := e.complete(e.wc[:n]); err != nil {
			return err
		}
		if n == 0 {
			if err := e.idle(ctx, &wait); err != nil {
				return err
			}
		}
	}
	return nil
}
