//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// channel is a completion channel (struct ibv_comp_channel).
type channel struct {
	addr uintptr
	fd   int
}

// CreateCompChannel calls ibv_create_comp_channel. EMFILE: the process has no
// file descriptor left.
func (c *deviceContext) CreateCompChannel() (verbs.Handle, int, error) {
	addr, err := c.lib.pointer(&c.lib.createCompChannel, c.addr)
	if err != nil {
		return nil, -1, err
	}
	ch := &channel{addr: addr, fd: int(at[cCompChannel](addr).fd)}
	if err := unix.SetNonblock(ch.fd, true); err != nil {
		c.lib.void(&c.lib.destroyCompChannel, addr)
		return nil, -1, err
	}
	return ch, ch.fd, nil
}

// DestroyCompChannel calls ibv_destroy_comp_channel. EBUSY: a completion
// queue uses it.
func (c *deviceContext) DestroyCompChannel(h verbs.Handle) error {
	return c.lib.status(&c.lib.destroyCompChannel, h.(*channel).addr)
}

// cqEvent is where ibv_get_cq_event puts its results.
type cqEvent struct {
	cq, cqContext uintptr
}

// GetCQEvent waits for an event of the channel or for stop, then calls
// ibv_get_cq_event.
func (c *deviceContext) GetCQEvent(h verbs.Handle, stop <-chan struct{}) (verbs.Handle, error) {
	ch := h.(*channel)
	ev, done, err := borrow[cqEvent](&c.lib.scratch)
	if err != nil {
		return nil, err
	}
	defer done()
	err = take(ch.fd, stop, func() error {
		return c.lib.minusOne(&c.lib.getCQEvent, ch.addr, addrOf(&ev.cq), addrOf(&ev.cqContext))
	})
	if err != nil {
		return nil, err
	}
	return c.cqAt(ev.cq), nil
}

// AckCQEvents calls ibv_ack_cq_events.
func (c *deviceContext) AckCQEvents(h verbs.Handle, n int) {
	c.lib.void(&c.lib.ackCQEvents, h.(*cq).addr, uintptr(n))
}
