package softroce

import (
	"math/bits"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// wqeState is how far a send work request has come.
//
//	posted ──▶ sent ──▶ done
//	   │         │
//	   └────┬────┘
//	        ▼
//	     failed
type wqeState uint8

const (
	wqePosted wqeState = iota // has no sequence numbers yet
	wqeSent                   // first packet has left
	wqeDone                   // acknowledged, or all data is here
	wqeFailed                 // status says why
)

// sendWQE is a send work request in the queue.
type sendWQE struct {
	wr     verbs.SendWR // SGList and inline data are copies
	inline []byte
	length int

	state  wqeState
	status verbs.WCStatus
	first  wire.PSN
	npsn   int // sequence numbers taken: for a READ, its responses
	got    int // responses that have arrived
}

// kind returns the operation of the requests this work request sends.
func (w *sendWQE) kind() wire.Kind {
	switch w.wr.Opcode {
	case verbs.WRRDMAWrite, verbs.WRRDMAWriteWithImm:
		return wire.KindWrite
	case verbs.WRRDMARead:
		return wire.KindReadRequest
	case verbs.WRAtomicCmpAndSwp:
		return wire.KindCompareSwap
	case verbs.WRAtomicFetchAndAdd:
		return wire.KindFetchAdd
	case verbs.WRSend, verbs.WRSendWithImm, verbs.WRSendWithInv, verbs.WRLocalInv, verbs.WRBindMW:
	}
	return wire.KindSend
}

// fetches reports whether the peer answers with data: READ and atomics.
func (w *sendWQE) fetches() bool {
	k := w.kind()
	return k == wire.KindReadRequest || k == wire.KindCompareSwap || k == wire.KindFetchAdd
}

// next returns the PSN behind the last one of the work request.
func (w *sendWQE) next() wire.PSN { return w.first.Add(w.npsn) }

// has reports whether a PSN belongs to the work request.
func (w *sendWQE) has(p wire.PSN) bool {
	return w.state != wqePosted && !p.Before(w.first) && p.Before(w.next())
}

// sendQueue is the ring of send work requests. head, tail and any index into
// it count work requests from the start; the ring is indexed modulo its size.
//
//	   head            cursor          tail
//	    ▼                ▼               ▼
//	───┬────────────────┬───────────────┬───
//	   │ unacknowledged │ not yet sent  │
type sendQueue struct {
	ring       []sendWQE // a power of two
	depth      uint64    // how many of it may be used
	head, tail uint64
}

func newSendQueue(qpCap verbs.QPCap) sendQueue {
	n, sges, inline := int(qpCap.MaxSendWR), int(qpCap.MaxSendSGE), int(qpCap.MaxInlineData)
	q := sendQueue{ring: make([]sendWQE, ringLen(n)), depth: uint64(n)}
	sge := make([]verbs.SGE, len(q.ring)*sges)
	data := make([]byte, len(q.ring)*inline)
	for i := range q.ring {
		q.ring[i].wr.SGList = sge[i*sges : i*sges : (i+1)*sges]
		q.ring[i].inline = data[i*inline : i*inline : (i+1)*inline]
	}
	return q
}

// ringLen returns the length of a ring for n work requests: a power of two, since
// a division for each access would be a good part of what a message costs.
func ringLen(n int) int {
	if n == 0 {
		return 1
	}
	return 1 << bits.Len(uint(n-1))
}

func (q *sendQueue) at(i uint64) *sendWQE { return &q.ring[i&uint64(len(q.ring)-1)] }

func (q *sendQueue) full() bool { return q.tail-q.head == q.depth }

// push returns the next free slot: lists are empty and keep their capacity, the
// rest of wr is what it was.
func (q *sendQueue) push() *sendWQE {
	w := q.at(q.tail)
	q.tail++
	w.wr.SGList, w.inline = w.wr.SGList[:0], w.inline[:0]
	w.length, w.state, w.status, w.first, w.npsn, w.got = 0, wqePosted, 0, 0, 0, 0
	return w
}

// recvWQE is a receive work request in the queue.
type recvWQE struct {
	id     uint64
	sges   []verbs.SGE
	length int
}

// recvQueue is the ring of receive work requests, oldest at head.
type recvQueue struct {
	ring       []recvWQE // a power of two
	depth      uint64    // how many of it may be used
	head, tail uint64
}

func newRecvQueue(qpCap verbs.QPCap) recvQueue {
	n, sges := int(qpCap.MaxRecvWR), int(qpCap.MaxRecvSGE)
	q := recvQueue{ring: make([]recvWQE, ringLen(n)), depth: uint64(n)}
	sge := make([]verbs.SGE, len(q.ring)*sges)
	for i := range q.ring {
		q.ring[i].sges = sge[i*sges : i*sges : (i+1)*sges]
	}
	return q
}

func (q *recvQueue) at(i uint64) *recvWQE { return &q.ring[i&uint64(len(q.ring)-1)] }

func (q *recvQueue) full() bool { return q.tail-q.head == q.depth }

func (q *recvQueue) empty() bool { return q.tail == q.head }

func (q *recvQueue) push(wr *verbs.RecvWR) {
	w := q.at(q.tail)
	q.tail++
	w.id, w.sges, w.length = wr.WRID, append(w.sges[:0], wr.SGList...), totalLen(wr.SGList)
}

// totalLen returns the bytes a scatter/gather list covers.
func totalLen(list []verbs.SGE) int {
	n := 0
	for i := range list {
		n += int(list[i].Length)
	}
	return n
}

// packets returns how many packets n bytes take: at least one.
func packets(n, mtu int) int { return max(1, (n+mtu-1)/mtu) }
