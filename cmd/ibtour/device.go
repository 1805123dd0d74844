package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/capture"
	"ibtour/verbs/kernel"
	"ibtour/verbs/libibverbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

// errNoUsable is the want of a device.
var errNoUsable = errors.New("no usable RDMA device")

// choice is the device of a run.
type choice struct {
	verbs.Driver
	soft  bool         // it tells of its packets itself
	why   string       // why it was chosen, where that was not asked for
	file  *captureFile // for packets that are captured; nil: none
	close func() error
}

// capture is how the packets of the device are to be captured, nil for the one
// that tells of them itself. A file gets them all.
func (c *choice) capture(packets func(trace.Packet)) *steps.Capture {
	switch {
	case c.soft:
		return nil
	case c.file != nil:
		return &steps.Capture{Packets: packets, File: func() (io.Writer, error) { return c.file, nil }}
	}
	return &steps.Capture{Packets: packets, AtFullSpeed: mostPackets}
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
			return nil, &spoken{a.say().noUsable.With(err), errors.Join(errNoUsable, err)}
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
		why = a.say().usingSoft.With(softroce.DefaultName, reason)
	}
	soft.Trace = seen
	return a.embedded(soft, f, why)
}

// real is a device of the kernel.
func (a *app) real(d verbs.Driver, f *flags) (*choice, error) {
	c := &choice{Driver: d, close: func() error { return nil }}
	if f.pcap == "" {
		return c, nil
	}
	if why := a.say().captureText(a.capturable(f)); why != "" {
		return nil, &usageError{fmt.Errorf("--pcap: %s", why)}
	}
	file, err := createFile(f.pcap)
	if err != nil {
		return nil, &usageError{err}
	}
	c.file, c.close = file, file.close
	return c, nil
}

// capturable tells what stands against capturing the packets of a device of the
// kernel, as far as that is known before the run; no state if nothing does.
func (a *app) capturable(f *flags) trace.Capture {
	c := trace.Capture{Device: f.opts.Device}
	ask := a.driverOf
	if ask == nil {
		ask = kernel.ReadDriver
	}
	driver, err := ask(c.Device)
	if err == nil {
		c.Driver = driver.String()
		switch {
		case driver != kernel.DriverRXE:
			c.State = trace.CaptureAdapter
			return c
		case f.opts.Host == "" && !f.server:
			c.State = trace.CaptureLoopback
			return c
		}
		err = capture.Permitted()
	}
	switch {
	case err == nil:
	case errors.Is(err, syscall.EPERM):
		c.State, c.Error = trace.CaptureRefused, err.Error()
	default:
		c.State, c.Error = trace.CaptureFailed, err.Error()
	}
	return c
}

// embedded is the device inside this program.
func (a *app) embedded(opts softroce.Options, f *flags, why string) (*choice, error) {
	f.opts.Device = softroce.DefaultName
	c := &choice{soft: true, why: why, close: func() error { return nil }}
	if f.pcap != "" {
		file, err := createFile(f.pcap)
		if err != nil {
			return nil, &usageError{err}
		}
		opts.Capture, c.close = file, file.close
	}
	opts.Panicked = a.panicked
	c.Driver = softroce.New(opts)
	return c, nil
}

// captureFile is the file of --pcap. When it cannot be written any more the
// ping-pong goes on, and its end tells of it.
type captureFile struct {
	file *os.File
	err  error // the first one
}

// createFile makes the file of --pcap.
func createFile(name string) (*captureFile, error) {
	file, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("--pcap: %w", err)
	}
	return &captureFile{file: file}, nil
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
		return nil, "", a.say().noKernel.Err()
	}
	if err != nil {
		return nil, "", err
	}
	defer list.Free() //nolint:errcheck // freeing has no error without a tracer
	for _, info := range list.Devices() {
		v := inspect(a.lang, list, info)
		p := v.port(a.lang, port)
		if p.usable() {
			return d, info.Name, nil
		}
		if why == nil {
			why = a.say().notUsable.Err(info.Name, p.Unusable)
		}
	}
	if why == nil {
		why = a.say().none.Err()
	}
	return nil, "", why
}
