package steps

import "context"

// postRecv fills the receive queue, before the peer can know our address.
func postRecv(_ context.Context, e *End) error {
	wr := e.recvWR()
	for range e.Opts.RxDepth {
		if err := e.QP.PostRecv(&wr); err != nil {
			return err
		}
	}
	e.begin()
	return nil
}
