package steps

import "context"

// closeDevice closes the device. The kernel would free whatever was left.
func closeDevice(_ context.Context, e *End) error {
	if err := e.Context.Close(); err != nil {
		return err
	}
	e.Context = nil
	return nil
}
