package steps

import "context"

// destroyCompChannel destroys the completion channel, which has no queue any more.
func destroyCompChannel(_ context.Context, e *End) error {
	if err := e.Channel.Close(); err != nil {
		return err
	}
	e.Channel = nil
	return nil
}
