package steps

import (
	"cmp"
	"context"
)

// connect opens the TCP connection to the server.
func connect(ctx context.Context, e *End) (err error) {
	host := cmp.Or(e.Opts.Host, "localhost")
	e.client, err = e.meeting().Dial(ctx, host, e.Opts.TCPPort)
	if err != nil {
		return err
	}
	e.conn = e.client
	return nil
}
