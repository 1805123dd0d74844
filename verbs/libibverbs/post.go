//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"sync"
	"syscall"
	"unsafe"

	"ibtour/verbs"
)

// sendSlot is one send work request in C, without its SGEs, which follow it.
type sendSlot struct {
	wr    cSendWR
	badWR uintptr
}

// recvSlot is one receive work request in C, without its SGEs.
type recvSlot struct {
	wr    cRecvWR
	badWR uintptr
}

type sendQueue struct {
	mu   sync.Mutex // of what follows
	mem  block
	slot *sendSlot
	sges []cSGE
	args [3]uintptr // of post_send
}

type recvQueue struct {
	mu   sync.Mutex // of what follows
	mem  block
	slot *recvSlot
	sges []cSGE
	args [3]uintptr // of post_recv
}

// reserve makes room for one request with as many SGEs as were granted and
// one more: a request with too many is refused by the device, in its own words.
func (s *sendQueue) reserve(qp uintptr, granted int) (err error) {
	s.slot, s.sges, s.mem, err = newSlot[sendSlot](granted + 1)
	if err != nil {
		return err
	}
	s.slot.wr.sgList = addrOf(unsafe.SliceData(s.sges))
	s.args = [3]uintptr{qp, addrOf(&s.slot.wr), addrOf(&s.slot.badWR)}
	return nil
}

func (r *recvQueue) reserve(qp uintptr, granted int) (err error) {
	r.slot, r.sges, r.mem, err = newSlot[recvSlot](granted + 1)
	if err != nil {
		return err
	}
	r.slot.wr.sgList = addrOf(unsafe.SliceData(r.sges))
	r.args = [3]uintptr{qp, addrOf(&r.slot.wr), addrOf(&r.slot.badWR)}
	return nil
}

func newSlot[T any](sges int) (*T, []cSGE, block, error) {
	var slot T
	head := unsafe.Sizeof(slot)
	mem, err := newBlock(head + uintptr(sges)*unsafe.Sizeof(cSGE{}))
	if err != nil {
		return nil, nil, mem, err
	}
	return at[T](mem.addr()), array[cSGE](mem.addr()+head, sges), mem, nil
}

// PostSend calls the device's post_send, what ibv_post_send does, with one
// request. ENOMEM: the send queue is full. EINVAL: the queue pair is not in
// RTS, or the request is not possible on it.
func (c *deviceContext) PostSend(h verbs.Handle, wr *verbs.SendWR) error {
	q := h.(*qp)
	if q.typ == verbs.QPTUD { // the seam has no address handles yet; drivers follow the pointer unseen
		return syscall.EINVAL
	}
	s := &q.send
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slot.wr.from(wr, s.sges)
	return fastStatus(c.ops.postSend, s.args[:])
}

// PostRecv calls the device's post_recv, what ibv_post_recv does, with one
// request. ENOMEM: the receive queue is full. EINVAL: the queue pair is in
// RESET.
func (c *deviceContext) PostRecv(h verbs.Handle, wr *verbs.RecvWR) error {
	r := &h.(*qp).recv
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slot.wr.from(wr, r.sges)
	return fastStatus(c.ops.postRecv, r.args[:])
}

// from fills in a work request whose sgList stands for sges.
func (w *cSendWR) from(wr *verbs.SendWR, sges []cSGE) {
	w.wrID, w.next, w.numSGE = wr.WRID, 0, fillSGEs(sges, wr.SGList)
	w.opcode, w.flags, w.imm = uint32(wr.Opcode), uint32(wr.Flags), 0
	w.wr = [4]uint64{}
	switch wr.Opcode {
	case verbs.WRSendWithImm, verbs.WRRDMAWriteWithImm:
		w.imm = hostOrder(wr.Imm)
	case verbs.WRSendWithInv, verbs.WRLocalInv:
		w.imm = uint32(wr.InvalidateRKey)
	case verbs.WRRDMAWrite, verbs.WRSend, verbs.WRRDMARead, verbs.WRAtomicCmpAndSwp,
		verbs.WRAtomicFetchAndAdd, verbs.WRBindMW:
	}
	if wr.Opcode == verbs.WRAtomicCmpAndSwp || wr.Opcode == verbs.WRAtomicFetchAndAdd {
		a := at[cAtomic](addrOf(&w.wr))
		a.remoteAddr, a.rkey, a.compareAdd, a.swap = wr.RemoteAddr, uint32(wr.RKey), wr.CompareAdd, wr.Swap
		return
	}
	r := at[cRDMA](addrOf(&w.wr))
	r.remoteAddr, r.rkey = wr.RemoteAddr, uint32(wr.RKey)
}

func (w *cRecvWR) from(wr *verbs.RecvWR, sges []cSGE) {
	w.wrID, w.next, w.numSGE = wr.WRID, 0, fillSGEs(sges, wr.SGList)
}

// fillSGEs returns how many were filled in: never more than there is room for,
// which is one more than the device takes.
func fillSGEs(sges []cSGE, list []verbs.SGE) int32 {
	n := min(len(sges), len(list))
	for i, s := range list[:n] {
		sges[i].addr, sges[i].length, sges[i].lkey = s.Addr, s.Length, uint32(s.LKey)
	}
	return int32(n)
}
