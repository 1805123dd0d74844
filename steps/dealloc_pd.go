package steps

import "context"

// deallocPD deallocates the protection domain, which is empty by now.
func deallocPD(_ context.Context, e *End) error {
	if err := e.PD.Close(); err != nil {
		return err
	}
	e.PD = nil
	return nil
}
