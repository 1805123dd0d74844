//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"ibtour/verbs"
)

// qp is a queue pair (struct ibv_qp) with the memory that posting to it needs.
type qp struct {
	addr uintptr
	typ  verbs.QPType
	send sendQueue
	recv recvQueue
}

// CreateQP calls ibv_create_qp.
func (c *deviceContext) CreateQP(init *verbs.QPInit) (verbs.Handle, verbs.QPN, verbs.QPCap, error) {
	addr, granted, err := c.createQP(init)
	if err != nil {
		return nil, 0, verbs.QPCap{}, err
	}
	q := &qp{addr: addr, typ: init.Type}
	if err := q.reserve(granted); err != nil {
		c.lib.void(&c.lib.destroyQP, addr)
		return nil, 0, verbs.QPCap{}, err
	}
	return q, verbs.QPN(at[cQP](addr).qpNum), granted, nil
}

func (c *deviceContext) createQP(init *verbs.QPInit) (uintptr, verbs.QPCap, error) {
	a, done, err := borrow[cQPInitAttr](&c.lib.scratch)
	if err != nil {
		return 0, verbs.QPCap{}, err
	}
	defer done()
	a.sendCQ, a.recvCQ = init.SendCQ.(*cq).addr, init.RecvCQ.(*cq).addr
	a.cap.from(&init.Cap)
	a.qpType, a.sqSigAll = uint32(init.Type), int32(cBool(init.SigAll))
	addr, err := c.lib.pointer(&c.lib.createQP, uintptr(init.PD.(pd)), addrOf(a))
	return addr, a.cap.cap(), err
}

func (q *qp) reserve(granted verbs.QPCap) error {
	if err := q.send.reserve(q.addr, int(granted.MaxSendSGE)); err != nil {
		return err
	}
	if err := q.recv.reserve(q.addr, int(granted.MaxRecvSGE)); err != nil {
		q.send.mem.free()
		return err
	}
	return nil
}

// DestroyQP calls ibv_destroy_qp.
func (c *deviceContext) DestroyQP(h verbs.Handle) error {
	q := h.(*qp)
	if err := c.lib.status(&c.lib.destroyQP, q.addr); err != nil {
		return err
	}
	q.send.mem.free()
	q.recv.mem.free()
	return nil
}

// ModifyQP calls ibv_modify_qp. The library knows the state of a queue pair
// from the calls that succeed.
func (c *deviceContext) ModifyQP(h verbs.Handle, attr *verbs.QPAttr, mask verbs.AttrMask) error {
	a, done, err := borrow[cQPAttr](&c.lib.scratch)
	if err != nil {
		return err
	}
	defer done()
	a.from(attr)
	return c.lib.status(&c.lib.modifyQP, h.(*qp).addr, addrOf(a), uintptr(mask))
}

// QueryQP calls ibv_query_qp.
func (c *deviceContext) QueryQP(h verbs.Handle, mask verbs.AttrMask) (verbs.QPAttr, error) {
	a, done, err := borrow[struct {
		attr cQPAttr
		init cQPInitAttr
	}](&c.lib.scratch)
	if err != nil {
		return verbs.QPAttr{}, err
	}
	defer done()
	err = c.lib.status(&c.lib.queryQP, h.(*qp).addr, addrOf(&a.attr), uintptr(mask), addrOf(&a.init))
	if err != nil {
		return verbs.QPAttr{}, err
	}
	return a.attr.attr(), nil
}
