package softroce

import (
	"sync"

	"ibtour/verbs"
)

// New returns a driver with one device. All contexts opened from it are the
// same device: their queue pairs can be connected to each other.
func New(opts Options) verbs.Driver {
	if opts.Name == "" {
		opts.Name = DefaultName
	}
	return &driver{opts: opts}
}

type driver struct {
	opts Options

	mu  sync.Mutex
	dev *device // nil while no context is open
	use int     // contexts open
}

// DeviceList returns the one device there is. It never fails: a host without
// addresses has the loopback address.
func (d *driver) DeviceList() (verbs.List, error) { return &list{drv: d}, nil }

type list struct{ drv *driver }

func (l *list) Devices() []verbs.DeviceInfo {
	return []verbs.DeviceInfo{{
		Name:      l.drv.opts.Name,
		NodeType:  verbs.NodeCA,
		Transport: "IB",
	}}
}

// Open opens the device (ibv_open_device). ENODEV: there is no such entry.
func (l *list) Open(i int) (verbs.DriverContext, error) {
	if i != 0 {
		return nil, errNoDev
	}
	return l.drv.open()
}

func (l *list) Free() {}

func (d *driver) open() (verbs.DriverContext, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dev == nil {
		dev, err := newDevice(d.opts)
		if err != nil {
			return nil, err
		}
		d.dev = dev
	}
	d.use++
	return &devContext{
		drv: d, dev: d.dev, events: newEventQueue[verbs.AsyncEvent](),
		pds: map[*pd]struct{}{}, cqs: map[*cq]struct{}{}, channels: map[*channel]struct{}{},
	}, nil
}

// release closes the device with its last context.
func (d *driver) release() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.use--
	if d.use > 0 {
		return nil
	}
	dev := d.dev
	d.dev = nil
	return dev.close()
}
