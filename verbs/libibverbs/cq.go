//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"sync"
	"unsafe"

	"ibtour/verbs"
)

// cq is a completion queue (struct ibv_cq) with the memory that polling it
// needs.
type cq struct {
	addr uintptr

	mu     sync.Mutex // of what follows
	mem    block
	wcs    []cWC
	poll   [3]uintptr // arguments of poll_cq
	notify [2]uintptr // arguments of req_notify_cq
}

// pollMost is how many completions one PollCQ takes at most.
const pollMost = 64

// CreateCQ calls ibv_create_cq.
func (c *deviceContext) CreateCQ(cqe int, h verbs.Handle, vector int) (verbs.Handle, int, error) {
	var ch uintptr
	if h != nil {
		ch = h.(*channel).addr
	}
	const cqContext = 0
	addr, err := c.lib.pointer(&c.lib.createCQ, c.addr, uintptr(cqe), cqContext, ch, uintptr(vector))
	if err != nil {
		return nil, 0, err
	}
	q := &cq{addr: addr}
	if err := q.reserve(); err != nil {
		c.lib.void(&c.lib.destroyCQ, addr)
		return nil, 0, err
	}
	c.remember(q)
	return q, int(at[cCQ](addr).cqe), nil
}

func (q *cq) reserve() (err error) {
	if q.mem, err = newBlock(pollMost * unsafe.Sizeof(cWC{})); err != nil {
		return err
	}
	q.wcs = array[cWC](q.mem.addr(), pollMost)
	q.poll = [3]uintptr{q.addr, 0, q.mem.addr()}
	q.notify = [2]uintptr{q.addr, 0}
	return nil
}

// DestroyCQ calls ibv_destroy_cq. EBUSY: a queue pair uses it. It waits for
// ever while an event is not acknowledged.
func (c *deviceContext) DestroyCQ(h verbs.Handle) error {
	q := h.(*cq)
	if err := c.lib.status(&c.lib.destroyCQ, q.addr); err != nil {
		return err
	}
	c.forget(q)
	q.mem.free()
	return nil
}
