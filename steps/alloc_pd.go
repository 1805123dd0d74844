package steps

import "context"

// allocPD makes the domain that the memory and the queue pair will belong to.
func allocPD(_ context.Context, e *End) (err error) {
	e.PD, err = e.Context.AllocPD()
	return err
}
