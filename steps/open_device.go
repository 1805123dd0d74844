package steps

import "context"

// openDevice opens the device asked for, or the first one.
func openDevice(_ context.Context, e *End) error {
	c, err := e.List.Open(e.Opts.Device)
	if err != nil {
		return withDevices(err, e)
	}
	e.Context, e.opened = c, c.Info()
	return usableDevice(e.say(), c.Info())
}
