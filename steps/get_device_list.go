package steps

import (
	"context"
	"errors"

	"ibtour/verbs"
)

// getDeviceList asks which RDMA devices there are. The list stays allocated
// until the end, since an open device was found through it.
func getDeviceList(_ context.Context, e *End) error {
	list, err := verbs.GetDeviceList(e.driver, e.tracer)
	if err != nil {
		return withKernel(err)
	}
	e.List = list
	if len(list.Devices()) == 0 {
		return errors.New("this machine has no RDMA device: no adapter, or its driver is not loaded")
	}
	return nil
}
