package verbs

import (
	"context"
	"errors"
	"fmt"

	"ibtour/verbs/trace"
)

// Context is an opened device (struct ibv_context).
type Context struct {
	dc     DriverContext
	info   DeviceInfo
	tracer trace.Tracer
	family family
	closed bool
}

// Name returns the name of the device.
func (c *Context) Name() string { return c.info.Name }

// Info returns what the device list said of the device.
func (c *Context) Info() DeviceInfo { return c.info }

// String returns "context rxe0".
func (c *Context) String() string { return "context " + c.info.Name }

// FDs returns the file descriptors of the context, -1 where there is none.
func (c *Context) FDs() FDs {
	if c.closed {
		return FDs{Cmd: -1, Async: -1}
	}
	return c.dc.FDs()
}

// Objects returns the names of the live objects, oldest first.
func (c *Context) Objects() []string { return c.family.names() }

// QueryDevice returns the limits of the device (ibv_query_device).
func (c *Context) QueryDevice() (DeviceAttr, error) {
	var attr DeviceAttr
	args := []trace.Arg{{Name: "context", Value: c.Name()}, {Name: "device_attr", Value: "&attr"}}
	err := c.call("ibv_query_device", c.Name(), args, func() (string, error) {
		a, err := c.dc.QueryDevice()
		attr = a
		return zero(err)
	})
	return attr, err
}

// PeekDevice is QueryDevice for an observer: the tracer does not see it.
func (c *Context) PeekDevice() (DeviceAttr, error) {
	if c.closed {
		return DeviceAttr{}, ErrClosed
	}
	return c.dc.QueryDevice()
}

// Booked returns the bytes that an embedded device counts as pinned by itself,
// for all who opened it. false: the kernel counts them (VmPin in proc(5)), or
// the device is closed.
func (c *Context) Booked() (bytes int64, counts bool) {
	if c.closed {
		return 0, false
	}
	return c.dc.Booked()
}

// QueryPort returns the state of a port, counted from 1 (ibv_query_port).
// EINVAL: the device has no such port.
func (c *Context) QueryPort(port uint8) (PortAttr, error) {
	var attr PortAttr
	args := []trace.Arg{
		{Name: "context", Value: c.Name()},
		{Name: "port_num", Value: num(port)},
		{Name: "port_attr", Value: "&attr"},
	}
	err := c.call("ibv_query_port", fmt.Sprintf("%s port %d", c.Name(), port), args, func() (string, error) {
		a, err := c.PeekPort(port)
		attr = a
		return zero(err)
	})
	return attr, err
}

// PeekPort is QueryPort for an observer: the tracer does not see it.
func (c *Context) PeekPort(port uint8) (PortAttr, error) {
	if c.closed {
		return PortAttr{}, ErrClosed
	}
	return c.dc.QueryPort(port)
}

// QueryGID returns an entry of a port's GID table (ibv_query_gid_ex).
// EINVAL: no such index. ENODATA: the entry is empty.
func (c *Context) QueryGID(port uint8, index int) (GIDEntry, error) {
	var gid GIDEntry
	args := []trace.Arg{
		{Name: "context", Value: c.Name()},
		{Name: "port_num", Value: num(port)},
		{Name: "gid_index", Value: num(index)},
		{Name: "entry", Value: "&entry"},
	}
	object := fmt.Sprintf("%s port %d GID %d", c.Name(), port, index)
	err := c.call("ibv_query_gid_ex", object, args, func() (string, error) {
		g, err := c.dc.QueryGID(port, index)
		gid = g
		return zero(err)
	})
	return gid, err
}

// PeekGIDs returns the entries in use of a port's GID table, for an observer:
// the tracer does not see it.
func (c *Context) PeekGIDs(port uint8) ([]GIDEntry, error) {
	attr, err := c.PeekPort(port)
	if err != nil {
		return nil, err
	}
	var table []GIDEntry
	for i := range attr.GIDTblLen {
		g, err := c.dc.QueryGID(port, i)
		switch {
		case errors.Is(err, errNoData):
		case err != nil:
			return nil, err
		case !g.GID.IsZero():
			table = append(table, g)
		}
	}
	return table, nil
}

// GetAsyncEvent waits for an asynchronous event (ibv_get_async_event) until
// ctx ends. Every event must be acknowledged with AckAsyncEvent.
func (c *Context) GetAsyncEvent(ctx context.Context) (AsyncEvent, error) {
	if c.closed {
		return AsyncEvent{}, closedError("ibv_get_async_event", c)
	}
	ev, err := c.dc.GetAsyncEvent(ctx.Done())
	if errors.Is(err, ErrStopped) {
		return ev, context.Cause(ctx)
	}
	return ev, wrap("ibv_get_async_event", c.Name(), err)
}

// AckAsyncEvent acknowledges an event (ibv_ack_async_event). Destroying an
// object waits for the events about it.
func (c *Context) AckAsyncEvent(ev AsyncEvent) {
	if !c.closed {
		c.dc.AckAsyncEvent(ev)
	}
}

// Close closes the device (ibv_close_device). It refuses with a *BusyError
// while objects are alive, since the C library would not: it frees the memory
// they use. A second Close does nothing.
func (c *Context) Close() error {
	if c.closed {
		return nil
	}
	if left := c.family.names(); len(left) > 0 {
		return &BusyError{Object: c.String(), Children: left}
	}
	args := []trace.Arg{{Name: "context", Value: c.Name()}}
	return c.call("ibv_close_device", c.Name(), args, func() (string, error) {
		err := c.dc.Close()
		c.closed = err == nil
		return zero(err)
	})
}

// CloseAll destroys every live object, each before what it depends on, and
// then the context. It goes on after an error and returns all of them.
func (c *Context) CloseAll() error {
	var errs []error
	for _, o := range c.family.newestFirst() {
		errs = append(errs, o.Close())
	}
	return errors.Join(append(errs, c.Close())...)
}

func (c *Context) call(op, object string, args []trace.Arg, do func() (string, error)) error {
	if c.closed {
		return fmt.Errorf("%s %s: %w", op, object, ErrClosed)
	}
	return traced(c.tracer, op, object, args, do)
}

// destroy makes the destroying call of an object and, if it succeeds, takes
// the object out of the family. EBUSY is given the names of the children.
func (c *Context) destroy(o object, done *bool, op, arg string, do func() error) error {
	if *done {
		return nil
	}
	err := c.call(op, o.String(), []trace.Arg{{Name: arg, Value: o.String()}}, func() (string, error) {
		return zero(do())
	})
	var verr *Error
	if errors.As(err, &verr) {
		if children := c.family.childrenOf(o); len(children) > 0 {
			verr.Hint = "still in use by " + listText(children)
		}
	}
	if err == nil {
		*done = true
		c.family.remove(o)
	}
	return err
}
