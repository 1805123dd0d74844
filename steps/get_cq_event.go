package steps

import "context"

// getCQEvent sleeps until the armed queue has a completion and arms it again,
// before it is polled: what completes later raises the next event.
func getCQEvent(ctx context.Context, e *End) error {
	cq, err := e.Channel.GetEvent(ctx)
	if err != nil {
		return err
	}
	return cq.ReqNotify(false)
}
