package steps

import "context"

// repostRecv fills the receive queue up again if only one receive is left.
func repostRecv(_ context.Context, e *End) error {
	if e.due.Recvs == 0 {
		e.notify(e.say().plenty.With(e.Flow.Posted))
	}
	wr := e.recvWR()
	for ; e.due.Recvs > 0; e.due.Recvs-- {
		if err := e.QP.PostRecv(&wr); err != nil {
			return err
		}
	}
	return nil
}
