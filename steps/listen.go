package steps

import "context"

// listen opens the TCP port at which the client will ask for our address.
func listen(ctx context.Context, e *End) (err error) {
	e.server, err = e.meeting().Listen(ctx, e.Opts.TCPPort)
	if err != nil {
		return err
	}
	e.conn = e.server
	e.Opts.TCPPort = int(e.server.LocalAddr().Port())
	e.notify(e.say().listening.With(e.Opts.TCPPort))
	return nil
}
