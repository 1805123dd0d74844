package softroce

import (
	"sync/atomic"
	"time"

	"ibtour/verbs"
)

// devContext is an opened device: what one program has made on it.
type devContext struct {
	drv    *driver
	dev    *device
	events *eventQueue[verbs.AsyncEvent]
	closed atomic.Bool

	pds      map[*pd]struct{}
	cqs      map[*cq]struct{}
	channels map[*channel]struct{}
	linger   time.Duration // until when peers may still ask for their last ACK
}

var _ verbs.DriverContext = (*devContext)(nil)

// FDs returns that there are none.
func (c *devContext) FDs() verbs.FDs { return verbs.FDs{Cmd: -1, Async: -1} }

// Close closes the device (ibv_close_device) and destroys what is left, each
// object before what it depends on. It waits as long as a peer on a network
// may still repeat its last request, since the answer would be lost with the
// process.
func (c *devContext) Close() error {
	if c.closed.Swap(true) {
		return errInval
	}
	c.events.close()
	until := c.destroyAll()
	if rest := until - c.dev.age(); rest > 0 {
		<-time.After(rest)
	}
	return c.drv.release()
}

// destroyAll returns when the last peer gives up waiting.
func (c *devContext) destroyAll() time.Duration {
	d := c.dev
	d.lock()
	defer d.unlock()
	for _, q := range d.qps {
		if q.pd.ctx == c {
			d.retireQP(q)
		}
	}
	for _, m := range d.lkeys {
		if m.pd.ctx == c {
			d.deregMR(m)
		}
	}
	for q := range c.cqs {
		_ = d.retireCQ(q)
	}
	for ch := range c.channels {
		_ = d.destroyChannel(ch)
	}
	for p := range c.pds {
		_ = d.deallocPD(p)
	}
	return c.linger
}

// QueryDevice returns the limits (ibv_query_device).
func (c *devContext) QueryDevice() (verbs.DeviceAttr, error) { return c.dev.attr(), nil }

// QueryPort returns the port (ibv_query_port). EINVAL: there is only port 1.
func (c *devContext) QueryPort(port uint8) (verbs.PortAttr, error) {
	if port != 1 {
		return verbs.PortAttr{}, errInval
	}
	return c.dev.portAttr(), nil
}

// QueryGID returns an entry of the GID table (ibv_query_gid_ex).
func (c *devContext) QueryGID(port uint8, index int) (verbs.GIDEntry, error) {
	if port != 1 || index < 0 || index >= len(c.dev.gids) {
		return verbs.GIDEntry{}, errInval
	}
	g := c.dev.gids[index]
	return verbs.GIDEntry{
		GID: g.value(), Index: index, Port: port, Type: verbs.GIDTypeRoCEv2, NetdevIndex: g.ifindex,
	}, nil
}

// GetAsyncEvent waits for an event of this context (ibv_get_async_event).
func (c *devContext) GetAsyncEvent(stop <-chan struct{}) (verbs.AsyncEvent, error) {
	return c.events.wait(stop, func(e verbs.AsyncEvent) {
		if a := accountOf(e); a != nil {
			a.take()
		}
	})
}

// AckAsyncEvent acknowledges an event (ibv_ack_async_event).
func (c *devContext) AckAsyncEvent(e verbs.AsyncEvent) {
	if a := accountOf(e); a != nil {
		a.ack(1)
	}
}

func accountOf(e verbs.AsyncEvent) *account {
	switch o := e.Element.(type) {
	case *qp:
		return &o.async
	case *cq:
		return &o.async
	}
	return nil
}

// NewTurnLoop prepares a loop over the calls of this context.
func (c *devContext) NewTurnLoop(spec verbs.TurnSpec) (verbs.TurnLoop, error) {
	return verbs.NewTurnLoop(c, spec), nil
}
