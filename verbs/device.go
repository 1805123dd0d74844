package verbs

import (
	"fmt"

	"ibtour/verbs/trace"
)

// DeviceList is a list of devices (ibv_get_device_list).
type DeviceList struct {
	list   List
	infos  []DeviceInfo
	tracer trace.Tracer
}

// GetDeviceList returns the devices a driver finds (ibv_get_device_list). An
// empty list is no error. ENOSYS: the kernel has no RDMA support. tracer may
// be nil; the objects made from the list report to it.
func GetDeviceList(d Driver, tracer trace.Tracer) (*DeviceList, error) {
	l := &DeviceList{tracer: tracer}
	args := []trace.Arg{{Name: "num_devices", Value: "&num"}}
	err := traced(tracer, "ibv_get_device_list", "", args, func() (string, error) {
		list, err := d.DeviceList()
		if err != nil {
			return "NULL", err
		}
		l.list, l.infos = list, list.Devices()
		return fmt.Sprintf("%d devices", len(l.infos)), nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Devices returns what is known of each device without opening it.
func (l *DeviceList) Devices() []DeviceInfo { return l.infos }

// Open opens the device of that name, or the first one if the name is empty
// (ibv_open_device). ErrNoDevice: there is none. EACCES: the device file may
// not be opened.
func (l *DeviceList) Open(name string) (*Context, error) {
	if l.list == nil {
		return nil, fmt.Errorf("device list: %w", ErrClosed)
	}
	i, err := l.find(name)
	if err != nil {
		return nil, err
	}
	c := &Context{info: l.infos[i], tracer: l.tracer}
	args := []trace.Arg{{Name: "device", Value: c.info.Name}}
	err = traced(l.tracer, "ibv_open_device", c.info.Name, args, func() (string, error) {
		dc, err := l.list.Open(i)
		if err != nil {
			return "NULL", err
		}
		c.dc = dc
		return "context " + c.info.Name, nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (l *DeviceList) find(name string) (int, error) {
	for i, d := range l.infos {
		if name == "" || d.Name == name {
			return i, nil
		}
	}
	if name == "" {
		return 0, fmt.Errorf("the device list is empty: %w", ErrNoDevice)
	}
	return 0, fmt.Errorf("%q: %w", name, ErrNoDevice)
}

// Free gives the list back (ibv_free_device_list). Open devices stay open. A
// second Free does nothing.
func (l *DeviceList) Free() error {
	if l.list == nil {
		return nil
	}
	args := []trace.Arg{{Name: "list", Value: "dev_list"}}
	return traced(l.tracer, "ibv_free_device_list", "", args, func() (string, error) {
		l.list.Free()
		l.list = nil
		return "void", nil
	})
}
