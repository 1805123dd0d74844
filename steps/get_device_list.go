package steps

import (
	"context"

	"ibtour/verbs"
)

// getDeviceList asks which RDMA devices there are. The list stays allocated
// until the end, since an open device was found through it.
func getDeviceList(_ context.Context, e *End) error {
	list, err := verbs.GetDeviceList(e.driver, e.tracer)
	if err != nil {
		return withKernel(err, e)
	}
	e.List = list
	if len(list.Devices()) == 0 {
		return e.say().noDevice.Err()
	}
	return nil
}
