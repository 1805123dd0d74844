package steps

import "context"

// recvAddress learns where the peer is.
func recvAddress(ctx context.Context, e *End) error {
	a, err := e.conn.ReadAddress(ctx)
	if err != nil {
		return err
	}
	e.Peer = &a
	if e.Role == Client {
		e.announce()
	}
	return nil
}
