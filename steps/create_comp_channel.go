package steps

import "context"

// createCompChannel makes the file through which completions can wake us.
func createCompChannel(_ context.Context, e *End) (err error) {
	e.Channel, err = e.Context.CreateCompChannel()
	return err
}
