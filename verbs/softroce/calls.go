package softroce

import "ibtour/verbs"

// The verbs on objects: each checks its handles, takes the lock of the device
// and leaves the rest to the object. A handle of another kind, of another
// context or of a destroyed object is EINVAL, as from the kernel.

// AllocPD allocates a protection domain (ibv_alloc_pd).
func (c *devContext) AllocPD() (verbs.Handle, error) {
	c.dev.lock()
	defer c.dev.unlock()
	p, err := c.dev.allocPD(c)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// DeallocPD deallocates a protection domain (ibv_dealloc_pd). EBUSY: it is used.
func (c *devContext) DeallocPD(h verbs.Handle) error {
	c.dev.lock()
	defer c.dev.unlock()
	p, err := c.pd(h)
	if err != nil {
		return err
	}
	return c.dev.deallocPD(p)
}

// RegMR registers memory (ibv_reg_mr).
func (c *devContext) RegMR(h verbs.Handle, buf *verbs.Buffer, access verbs.AccessFlags) (verbs.Handle, verbs.KeyPair, error) {
	c.dev.lock()
	defer c.dev.unlock()
	p, err := c.pd(h)
	if err != nil {
		return nil, verbs.KeyPair{}, err
	}
	m, err := c.dev.regMR(p, buf, access)
	if err != nil {
		return nil, verbs.KeyPair{}, err
	}
	return m, m.keys, nil
}

// DeregMR deregisters memory (ibv_dereg_mr).
func (c *devContext) DeregMR(h verbs.Handle) error {
	c.dev.lock()
	defer c.dev.unlock()
	m, ok := h.(*mr)
	if !ok || m.dead || m.pd.ctx != c {
		return errInval
	}
	c.dev.deregMR(m)
	return nil
}

// Peek copies registered memory while no packet is written to it.
func (c *devContext) Peek(dst, src []byte) {
	c.dev.lock()
	defer c.dev.unlock()
	copy(dst, src)
}

// Booked returns the bytes of all regions, in whole pages. They are only
// counted: nothing keeps the kernel from moving the pages, and since this
// device copies with the processor, nothing needs to.
func (c *devContext) Booked() (bytes int64, counts bool) {
	c.dev.lock()
	defer c.dev.unlock()
	return c.dev.pinned, true
}

// CreateCompChannel creates a channel (ibv_create_comp_channel); fd is -1.
func (c *devContext) CreateCompChannel() (ch verbs.Handle, fd int, err error) {
	c.dev.lock()
	defer c.dev.unlock()
	channel, err := c.dev.createChannel(c)
	if err != nil {
		return nil, -1, err
	}
	return channel, -1, nil
}

// DestroyCompChannel destroys a channel (ibv_destroy_comp_channel). EBUSY: a
// queue uses it.
func (c *devContext) DestroyCompChannel(h verbs.Handle) error {
	c.dev.lock()
	defer c.dev.unlock()
	ch, err := c.channel(h)
	if err != nil {
		return err
	}
	return c.dev.destroyChannel(ch)
}

// CreateCQ creates a completion queue (ibv_create_cq).
func (c *devContext) CreateCQ(cqe int, channel verbs.Handle, vector int) (verbs.Handle, int, error) {
	c.dev.lock()
	defer c.dev.unlock()
	q, err := c.createCQ(cqe, channel, vector)
	if err != nil {
		return nil, 0, err
	}
	return q, len(q.ring), nil
}

func (c *devContext) createCQ(cqe int, h verbs.Handle, vector int) (*cq, error) {
	if h == nil {
		return c.dev.createCQ(c, cqe, nil, vector)
	}
	ch, err := c.channel(h)
	if err != nil {
		return nil, err
	}
	return c.dev.createCQ(c, cqe, ch, vector)
}

// DestroyCQ destroys a queue (ibv_destroy_cq). EBUSY: a queue pair uses it. It
// waits until every event taken has been acknowledged.
func (c *devContext) DestroyCQ(h verbs.Handle) error {
	q, err := c.retireCQ(h)
	if err != nil {
		return err
	}
	q.events.settle(c.events.closed)
	q.async.settle(c.events.closed)
	return nil
}

func (c *devContext) retireCQ(h verbs.Handle) (*cq, error) {
	c.dev.lock()
	defer c.dev.unlock()
	q, err := c.cq(h)
	if err != nil {
		return nil, err
	}
	return q, c.dev.retireCQ(q)
}

// PollCQ takes completions (ibv_poll_cq).
func (c *devContext) PollCQ(h verbs.Handle, wc []verbs.WC) (int, error) {
	q, ok := h.(*cq)
	if !ok || q.ctx != c {
		return 0, errInval
	}
	if n := q.poll(wc); n > 0 || len(wc) == 0 {
		return n, nil
	}
	q.idle(c.dev)
	return q.poll(wc), nil
}

// ReqNotifyCQ arms a queue for one event (ibv_req_notify_cq).
func (c *devContext) ReqNotifyCQ(h verbs.Handle, solicitedOnly bool) error {
	q, ok := h.(*cq)
	if !ok || q.ctx != c {
		return errInval
	}
	q.request(solicitedOnly)
	return nil
}

// GetCQEvent waits for an event of a channel (ibv_get_cq_event).
func (c *devContext) GetCQEvent(h verbs.Handle, stop <-chan struct{}) (verbs.Handle, error) {
	ch, ok := h.(*channel)
	if !ok || ch.ctx != c {
		return nil, errInval
	}
	q, err := c.dev.getEvent(ch, stop)
	if err != nil {
		return nil, err
	}
	return q, nil
}

// AckCQEvents acknowledges events (ibv_ack_cq_events).
func (c *devContext) AckCQEvents(h verbs.Handle, n int) {
	if q, ok := h.(*cq); ok {
		q.events.ack(n)
	}
}

// CreateQP creates a queue pair (ibv_create_qp).
func (c *devContext) CreateQP(init *verbs.QPInit) (verbs.Handle, verbs.QPN, verbs.QPCap, error) {
	c.dev.lock()
	defer c.dev.unlock()
	q, err := c.createQP(init)
	if err != nil {
		return nil, 0, verbs.QPCap{}, err
	}
	return q, q.num, q.cap, nil
}

func (c *devContext) createQP(init *verbs.QPInit) (*qp, error) {
	p, err := c.pd(init.PD)
	if err != nil {
		return nil, err
	}
	send, err := c.cq(init.SendCQ)
	if err != nil {
		return nil, err
	}
	recv, err := c.cq(init.RecvCQ)
	if err != nil {
		return nil, err
	}
	return c.dev.createQP(p, send, recv, init)
}

// DestroyQP destroys a queue pair (ibv_destroy_qp). It waits until every
// asynchronous event taken about it has been acknowledged.
func (c *devContext) DestroyQP(h verbs.Handle) error {
	c.dev.lock()
	q, err := c.qp(h)
	if err == nil {
		c.dev.retireQP(q)
	}
	c.dev.unlock()
	if err == nil {
		q.async.settle(c.events.closed)
	}
	return err
}

// ModifyQP changes a queue pair (ibv_modify_qp).
func (c *devContext) ModifyQP(h verbs.Handle, attr *verbs.QPAttr, mask verbs.AttrMask) error {
	c.dev.lock()
	defer c.dev.unlock()
	q, err := c.qp(h)
	if err != nil {
		return err
	}
	return q.modify(attr, mask)
}

// QueryQP returns all attributes, whatever the mask (ibv_query_qp).
func (c *devContext) QueryQP(h verbs.Handle, _ verbs.AttrMask) (verbs.QPAttr, error) {
	c.dev.lock()
	defer c.dev.unlock()
	q, err := c.qp(h)
	if err != nil {
		return verbs.QPAttr{}, err
	}
	return q.query(), nil
}

// PostSend posts to the send queue (ibv_post_send).
func (c *devContext) PostSend(h verbs.Handle, wr *verbs.SendWR) error {
	c.dev.lock()
	defer c.dev.unlock()
	q, err := c.qp(h)
	if err != nil {
		return err
	}
	return q.postSend(wr)
}

// PostRecv posts to the receive queue (ibv_post_recv).
func (c *devContext) PostRecv(h verbs.Handle, wr *verbs.RecvWR) error {
	c.dev.lock()
	defer c.dev.unlock()
	q, err := c.qp(h)
	if err != nil {
		return err
	}
	return q.postRecv(wr)
}

func (c *devContext) pd(h verbs.Handle) (*pd, error) {
	if p, ok := h.(*pd); ok && !p.dead && p.ctx == c {
		return p, nil
	}
	return nil, errInval
}

func (c *devContext) channel(h verbs.Handle) (*channel, error) {
	if ch, ok := h.(*channel); ok && !ch.dead && ch.ctx == c {
		return ch, nil
	}
	return nil, errInval
}

func (c *devContext) cq(h verbs.Handle) (*cq, error) {
	if q, ok := h.(*cq); ok && !q.dead && q.ctx == c {
		return q, nil
	}
	return nil, errInval
}

func (c *devContext) qp(h verbs.Handle) (*qp, error) {
	if q, ok := h.(*qp); ok && !q.dead && q.pd.ctx == c {
		return q, nil
	}
	return nil, errInval
}
