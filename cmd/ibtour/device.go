package main

import (
	"errors"
	"fmt"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/libibverbs"
)

// errNoUsable is the want of a device.
var errNoUsable = errors.New("no usable RDMA device")

// errNone says what an empty list means.
var errNone = fmt.Errorf("%w: the list of devices is empty: there is no adapter, or its driver is not loaded "+
	"(as root, Soft-RoCE makes one: rdma link add rxe0 type rxe netdev INTERFACE)", errNoUsable)

// open opens the way to the devices.
func (a *app) open() (verbs.Driver, error) {
	open := a.drivers
	if open == nil {
		open = libibverbs.Open
	}
	d, err := open()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoUsable, err)
	}
	return d, nil
}

// pick chooses the driver and, where the options leave it open, the device: the
// first one with a usable port. The original takes the first device there is,
// which on a machine with several is often the one without a cable.
func (a *app) pick(o *steps.Options) (verbs.Driver, error) {
	d, err := a.open()
	if err != nil || o.Device != "" {
		return d, err
	}
	list, err := verbs.GetDeviceList(d, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoUsable, err)
	}
	defer list.Free() //nolint:errcheck // freeing has no error without a tracer
	if len(list.Devices()) == 0 {
		return nil, errNone
	}
	o.Device = list.Devices()[0].Name // if none is usable, its steps will say why
	for _, info := range list.Devices() {
		v := inspect(list, info)
		if p := v.port(o.IBPort); p.usable() {
			o.Device = info.Name
			break
		}
	}
	return d, nil
}
