package steps

import "context"

// deregMR takes the buffer from the adapter: its pages are unpinned.
func deregMR(_ context.Context, e *End) error {
	if err := e.MR.Close(); err != nil {
		return err
	}
	e.MR = nil
	return nil
}
