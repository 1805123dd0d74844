package verbs

import (
	"context"
	"errors"
	"fmt"

	"ibtour/verbs/trace"
)

// CompChannel is a completion channel (struct ibv_comp_channel): a file that
// becomes readable when an armed completion queue receives a completion.
type CompChannel struct {
	ctx    *Context
	h      Handle
	fd     int
	cqs    []*CQ
	closed bool
}

// CreateCompChannel creates a completion channel (ibv_create_comp_channel).
// EMFILE: the process has no file descriptor left.
func (c *Context) CreateCompChannel() (*CompChannel, error) {
	ch := &CompChannel{ctx: c}
	args := []trace.Arg{{Name: "context", Value: c.Name()}}
	err := c.call("ibv_create_comp_channel", c.Name(), args, func() (string, error) {
		h, fd, err := c.dc.CreateCompChannel()
		if err != nil {
			return "NULL", err
		}
		ch.h, ch.fd = h, fd
		return ch.String(), nil
	})
	if err != nil {
		return nil, err
	}
	c.family.add(ch)
	return ch, nil
}

// FD returns the file descriptor of the channel, -1 if it has none.
func (ch *CompChannel) FD() int { return ch.fd }

// String returns "channel fd 7".
func (ch *CompChannel) String() string {
	if ch.fd < 0 {
		return "channel"
	}
	return fmt.Sprintf("channel fd %d", ch.fd)
}

// GetEvent waits until a queue of the channel has an event and returns that
// queue (ibv_get_cq_event). The event must be acknowledged with CQ.AckEvents.
// When ctx ends first its cause is returned.
func (ch *CompChannel) GetEvent(ctx context.Context) (*CQ, error) {
	var cq *CQ
	args := []trace.Arg{
		{Name: "channel", Value: ch.String()},
		{Name: "cq", Value: "&ev_cq"},
		{Name: "cq_context", Value: "&ev_ctx"},
	}
	if ch.closed {
		return nil, closedError("ibv_get_cq_event", ch)
	}
	err := ch.ctx.call("ibv_get_cq_event", ch.String(), args, func() (string, error) {
		h, err := ch.ctx.dc.GetCQEvent(ch.h, ctx.Done())
		if errors.Is(err, ErrStopped) {
			return "-1", context.Cause(ctx)
		}
		if err != nil {
			return "-1", err
		}
		for _, q := range ch.cqs {
			if q.h == h {
				cq = q
				cq.unacked.Add(1)
			}
		}
		if cq == nil {
			return "0", errors.New("event of an unknown completion queue")
		}
		return "0, event of " + cq.String(), nil
	})
	return cq, err
}

// Close destroys the channel (ibv_destroy_comp_channel). EBUSY: a completion
// queue still uses it. A second Close does nothing.
func (ch *CompChannel) Close() error {
	return ch.ctx.destroy(ch, &ch.closed, "ibv_destroy_comp_channel", "channel", func() error {
		return ch.ctx.dc.DestroyCompChannel(ch.h)
	})
}

func (ch *CompChannel) parents() []object { return nil }
