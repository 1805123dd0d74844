package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"ibtour/verbs"
	"ibtour/verbs/libibverbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

// errNoUsable is the want of a device.
var errNoUsable = errors.New("no usable RDMA device")

// choice is the device of a run.
type choice struct {
	verbs.Driver
	why   string // why it was chosen, where that was not asked for
	close func() error
}

// choose settles the device of a run: the one asked for; else the first of the
// kernel's that has a usable port, where the original takes the first there is;
// else the embedded one. It writes the name to the options.
func (a *app) choose(f *flags, seen func(trace.Packet)) (*choice, error) {
	o := &f.opts
	soft, isSoft, err := softroce.ParseName(o.Device)
	if err != nil {
		return nil, &usageError{err}
	}
	if o.Device != "" && !isSoft {
		d, err := a.kernelDevices()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errNoUsable, err)
		}
		return a.real(d, f)
	}
	why := ""
	if !isSoft {
		d, name, reason := a.firstUsable(o.IBPort)
		if reason == nil {
			o.Device = name
			return a.real(d, f)
		}
		why = fmt.Sprintf("using %s, the RoCE v2 device inside ibtour: %v", softroce.DefaultName, reason)
	}
	soft.Trace = seen
	return a.embedded(soft, f, why)
}

// real is a device of the kernel.
func (a *app) real(d verbs.Driver, f *flags) (*choice, error) {
	if f.pcap != "" {
		return nil, &usageError{fmt.Errorf("--pcap records the packets of %s, and %s handles its own below this program: "+
			"use tcpdump on its interface, or -d %s", softroce.DefaultName, f.opts.Device, softroce.DefaultName)}
	}
	return &choice{Driver: d, close: func() error { return nil }}, nil
}

// embedded is the device inside this program.
func (a *app) embedded(opts softroce.Options, f *flags, why string) (*choice, error) {
	f.opts.Device = softroce.DefaultName
	c := &choice{why: why, close: func() error { return nil }}
	if f.pcap != "" {
		file, err := os.Create(f.pcap)
		if err != nil {
			return nil, &usageError{fmt.Errorf("--pcap: %w", err)}
		}
		capture := &captureFile{file: file}
		opts.Capture, c.close = capture, capture.close
	}
	c.Driver = softroce.New(opts)
	return c, nil
}

// captureFile is the file of --pcap. When it cannot be written any more the
// ping-pong goes on, and its end tells of it.
type captureFile struct {
	file *os.File
	err  error // the first one
}

func (c *captureFile) Write(b []byte) (int, error) {
	if c.err == nil {
		_, c.err = c.file.Write(b)
	}
	return len(b), nil
}

func (c *captureFile) close() error {
	err := c.file.Close()
	if c.err != nil {
		err = c.err
	}
	if err != nil {
		return fmt.Errorf("--pcap: %w", err)
	}
	return nil
}

// kernelDevices opens the way to the devices of the kernel.
func (a *app) kernelDevices() (verbs.Driver, error) {
	open := a.drivers
	if open == nil {
		open = libibverbs.Open
	}
	return open()
}

// firstUsable returns the first device of the kernel whose port can be used,
// or the reason why there is none.
func (a *app) firstUsable(port int) (d verbs.Driver, name string, why error) {
	d, err := a.kernelDevices()
	if err != nil {
		return nil, "", err
	}
	list, err := verbs.GetDeviceList(d, nil)
	if errors.Is(err, syscall.ENOSYS) {
		return nil, "", errNoKernel
	}
	if err != nil {
		return nil, "", err
	}
	defer list.Free() //nolint:errcheck // freeing has no error without a tracer
	why = errNone
	for _, info := range list.Devices() {
		v := inspect(list, info)
		p := v.port(port)
		if p.usable() {
			return d, info.Name, nil
		}
		if errors.Is(why, errNone) {
			why = fmt.Errorf("%s is not usable: %s", info.Name, p.Unusable)
		}
	}
	return nil, "", why
}

// What it means that there is no device, and what would be needed for one.
var (
	errNone = errors.New("no RDMA device was found: no adapter, or its driver is not loaded " +
		"(as root, Soft-RoCE makes one: rdma link add rxe0 type rxe netdev INTERFACE)")
	errNoKernel = errors.New("this kernel has no RDMA: a real device needs an adapter and its driver, " +
		"or the kernel module rdma_rxe (Soft-RoCE)")
)
