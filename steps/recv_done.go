package steps

import "context"

// recvDone waits until the client has our address, and hangs up.
func recvDone(ctx context.Context, e *End) error {
	if err := e.server.ReadDone(ctx); err != nil {
		return err
	}
	return e.hangUp()
}
