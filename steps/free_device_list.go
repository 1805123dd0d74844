package steps

import "context"

// freeDeviceList gives the device list back.
func freeDeviceList(_ context.Context, e *End) error {
	if err := e.List.Free(); err != nil {
		return err
	}
	e.List = nil
	return nil
}
