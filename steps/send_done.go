package steps

import "context"

// sendDone tells the server that we have its address, and hangs up.
func sendDone(ctx context.Context, e *End) error {
	if err := e.client.SendDone(ctx); err != nil {
		return err
	}
	return e.hangUp()
}
