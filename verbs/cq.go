package verbs

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"ibtour/verbs/trace"
)

// CQ is a completion queue (struct ibv_cq): the ring in which the adapter
// reports finished work.
type CQ struct {
	ctx     *Context
	h       Handle
	channel *CompChannel
	cqe     int
	closed  bool

	mu      sync.Mutex
	qps     []*QP
	unacked atomic.Int64 // events taken and not acknowledged
	polled  atomic.Uint64
}

// CreateCQ creates a completion queue of at least cqe entries
// (ibv_create_cq). channel may be nil: then the queue can only be polled.
// EINVAL: more entries than the device has, or fewer than one.
func (c *Context) CreateCQ(cqe int, channel *CompChannel) (*CQ, error) {
	if channel != nil && channel.closed {
		return nil, closedError("ibv_create_cq", channel)
	}
	q := &CQ{ctx: c, channel: channel}
	var ch Handle
	chText := "NULL"
	if channel != nil {
		ch, chText = channel.h, channel.String()
	}
	args := []trace.Arg{
		{Name: "context", Value: c.Name()},
		{Name: "cqe", Value: num(cqe)},
		{Name: "cq_context", Value: "NULL"},
		{Name: "channel", Value: chText},
		{Name: "comp_vector", Value: "0"},
	}
	err := c.call("ibv_create_cq", fmt.Sprintf("%d entries", cqe), args, func() (string, error) {
		h, granted, err := c.dc.CreateCQ(cqe, ch, 0)
		if err != nil {
			return "NULL", err
		}
		q.h, q.cqe = h, granted
		return fmt.Sprintf("cq {cqe %d}", granted), nil
	})
	if err != nil {
		return nil, err
	}
	if channel != nil {
		channel.cqs = append(channel.cqs, q)
	}
	c.family.add(q)
	return q, nil
}

// CQE returns the entries granted, which may be more than asked for.
func (q *CQ) CQE() int { return q.cqe }

// Channel returns the queue's completion channel, nil if it has none.
func (q *CQ) Channel() *CompChannel { return q.channel }

// Polled returns how many completions have been taken from the queue.
func (q *CQ) Polled() uint64 { return q.polled.Load() }

// Unacked returns how many events were taken and not yet acknowledged.
func (q *CQ) Unacked() int { return int(q.unacked.Load()) }

// String returns "CQ of 501".
func (q *CQ) String() string { return fmt.Sprintf("CQ of %d", q.cqe) }

// Poll takes up to len(wc) completions (ibv_poll_cq) and returns how many.
// It does not wait. No allocation is made without a tracer.
func (q *CQ) Poll(wc []WC) (int, error) {
	if q.ctx.tracer == nil {
		if q.closed {
			return 0, ErrClosed
		}
		n, err := q.ctx.dc.PollCQ(q.h, wc)
		if err != nil {
			return 0, wrap("ibv_poll_cq", q.String(), err)
		}
		q.took(wc[:n])
		return n, nil
	}
	return q.pollTraced(wc)
}

func (q *CQ) pollTraced(wc []WC) (n int, err error) {
	args := []trace.Arg{
		{Name: "cq", Value: q.String()}, {Name: "num_entries", Value: num(len(wc))}, {Name: "wc", Value: "wc"},
	}
	err = q.call("ibv_poll_cq", args, func() (string, error) {
		n, err = q.ctx.dc.PollCQ(q.h, wc)
		if err != nil {
			return "-1", err
		}
		return num(n), nil
	})
	if err != nil {
		return 0, err
	}
	q.took(wc[:n])
	for i := range wc[:n] {
		q.ctx.tracer.Emit(wc[i].event())
	}
	return n, nil
}

// call makes a call on the queue.
func (q *CQ) call(op string, args []trace.Arg, do func() (string, error)) error {
	if q.closed {
		return closedError(op, q)
	}
	return q.ctx.call(op, q.String(), args, do)
}

// took books completions to the queue pairs they belong to.
func (q *CQ) took(wc []WC) {
	if len(wc) == 0 {
		return
	}
	q.polled.Add(uint64(len(wc)))
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range wc {
		for _, qp := range q.qps {
			if qp.num == wc[i].QPN {
				qp.completed(q, &wc[i])
			}
		}
	}
}

// ReqNotify arms the queue: the next completion (or the next solicited one)
// raises one event on the channel (ibv_req_notify_cq).
func (q *CQ) ReqNotify(solicitedOnly bool) error {
	args := []trace.Arg{{Name: "cq", Value: q.String()}, {Name: "solicited_only", Value: boolText(solicitedOnly)}}
	return q.call("ibv_req_notify_cq", args, func() (string, error) {
		return zero(q.ctx.dc.ReqNotifyCQ(q.h, solicitedOnly))
	})
}

// AckEvents acknowledges every event taken so far (ibv_ack_cq_events): the
// queue cannot be destroyed before. It takes a lock, so programs do it once
// for many.
func (q *CQ) AckEvents() error {
	n := int(q.unacked.Load())
	args := []trace.Arg{{Name: "cq", Value: q.String()}, {Name: "nevents", Value: num(n)}}
	return q.call("ibv_ack_cq_events", args, func() (string, error) {
		q.ctx.dc.AckCQEvents(q.h, n)
		q.unacked.Add(int64(-n))
		return "void", nil
	})
}

// Close destroys the queue (ibv_destroy_cq). EBUSY: a queue pair still uses
// it. Events that were taken are acknowledged first, since the C library
// would wait for them for ever. A second Close does nothing.
func (q *CQ) Close() error {
	if !q.closed && q.unacked.Load() > 0 {
		if err := q.AckEvents(); err != nil {
			return err
		}
	}
	err := q.ctx.destroy(q, &q.closed, "ibv_destroy_cq", "cq", func() error { return q.ctx.dc.DestroyCQ(q.h) })
	if err == nil && q.channel != nil {
		q.channel.cqs = slices.DeleteFunc(q.channel.cqs, func(x *CQ) bool { return x == q })
	}
	return err
}

func (q *CQ) parents() []object {
	if q.channel == nil {
		return nil
	}
	return []object{q.channel}
}

func (q *CQ) attach(qp *QP) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !slices.Contains(q.qps, qp) {
		q.qps = append(q.qps, qp)
	}
}

func (q *CQ) detach(qp *QP) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.qps = slices.DeleteFunc(q.qps, func(x *QP) bool { return x == qp })
}
