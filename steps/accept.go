package steps

import "context"

// accept waits for the client to connect.
func accept(ctx context.Context, e *End) error {
	return e.server.Accept(ctx)
}
