package steps

import "context"

// destroyQP destroys the queue pair. Receives still posted vanish with it.
func destroyQP(_ context.Context, e *End) error {
	if err := e.QP.Close(); err != nil {
		return err
	}
	e.QP = nil
	return nil
}
