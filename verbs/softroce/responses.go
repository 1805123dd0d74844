package softroce

import "ibtour/verbs/wire"

// response is an answer that waits to be sent: an acknowledge, the rest of a
// READ, or the result of an atomic.
type response struct {
	kind wire.Kind // KindAck, KindReadResponse or KindAtomicAck
	psn  wire.PSN  // of the next packet
	aeth wire.AETH
	orig uint64
	reth wire.RETH // what is left of a READ
	part readPart
}

// readPart says whether a READ has been answered in part.
type readPart uint8

const (
	readWhole readPart = iota
	readRest
)

// responseQueue keeps the answers in the order of their requests, as the
// specification demands (IBTA vol. 1, 9.7.5.1).
type responseQueue struct {
	ring []response
	head int
	n    int
}

// newResponseQueue makes room for n READs and atomics, an ACK between each, and
// some NAKs and repeated answers. What does not fit is lost, as on a network.
func newResponseQueue(n int) responseQueue {
	return responseQueue{ring: make([]response, 2*n+8)}
}

func (q *responseQueue) at(i int) *response {
	if i += q.head; i >= len(q.ring) {
		i -= len(q.ring)
	}
	return &q.ring[i]
}

// room reports whether a READ or atomic can be taken, and an ACK after it.
func (q *responseQueue) room() bool { return q.n+2 < len(q.ring) }

func (q *responseQueue) push(r response) {
	if q.n < len(q.ring) {
		q.n++
		*q.at(q.n - 1) = r
	}
}

func (q *responseQueue) pop() {
	if q.head++; q.head == len(q.ring) {
		q.head = 0
	}
	q.n--
}

// ack adds an acknowledge. It takes the place of one that has not left yet:
// an ACK covers all that came before it.
func (q *responseQueue) ack(psn wire.PSN, a wire.AETH) {
	r := response{kind: wire.KindAck, psn: psn, aeth: a}
	if q.n > 0 {
		if last := q.at(q.n - 1); last.kind == wire.KindAck && last.aeth.Syndrome.Kind() == wire.SyndromeACK {
			*last = r
			return
		}
	}
	q.push(r)
}

// read adds the answer to a READ. The rest of an earlier answer to the same
// request is not sent any more.
func (q *responseQueue) read(s *saved, r response) {
	for i := range q.n {
		if old := q.at(i); old.kind == wire.KindReadResponse && s.has(old.psn) {
			*old = r
			return
		}
	}
	q.push(r)
}
