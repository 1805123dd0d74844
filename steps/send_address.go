package steps

import "context"

// sendAddress tells the peer where we are: LID, queue pair number, PSN, GID.
func sendAddress(ctx context.Context, e *End) error {
	e.announce()
	return e.conn.SendAddress(ctx, e.Address())
}
