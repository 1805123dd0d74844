package steps

import "context"

// destroyCQ destroys the completion queue, which no queue pair uses any more.
func destroyCQ(_ context.Context, e *End) error {
	if err := e.CQ.Close(); err != nil {
		return err
	}
	e.CQ = nil
	return nil
}
