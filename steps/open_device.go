package steps

import (
	"context"

	"ibtour/verbs"
)

// openDevice opens the device asked for, or the first one.
func openDevice(_ context.Context, e *End) error {
	c, err := e.List.Open(e.Opts.Device)
	if err != nil {
		return withDevices(err, e.List.Devices())
	}
	e.Context = c
	if c.Info().NodeType == verbs.NodeRNIC {
		return errIWARP(c.Name())
	}
	return nil
}
