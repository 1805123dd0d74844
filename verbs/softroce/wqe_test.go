package softroce

import (
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// A queue takes as many work requests as were granted, whatever the length of
// its ring, and gives them back in order.
func TestQueueDepth(t *testing.T) {
	for depth := range 10 {
		granted := verbs.QPCap{MaxSendWR: uint32(depth), MaxRecvWR: uint32(depth), MaxSendSGE: 1, MaxRecvSGE: 1}
		sq, rq := newSendQueue(granted), newRecvQueue(granted)
		posted, taken := uint64(0), uint64(0)
		for range 100 {
			for !sq.full() {
				sq.push().wr.WRID = posted
				rq.push(&verbs.RecvWR{WRID: posted})
				posted++
			}
			if n := int(posted - taken); n != depth || !rq.full() {
				t.Fatalf("depth %d: %d sends fit, the receive queue is full: %t", depth, n, rq.full())
			}
			for range (depth + 1) / 2 {
				if s, r := sq.at(sq.head).wr.WRID, rq.at(rq.head).id; s != taken || r != taken {
					t.Fatalf("depth %d: send %d and receive %d come out, want %d", depth, s, r, taken)
				}
				sq.head, rq.head, taken = sq.head+1, rq.head+1, taken+1
			}
		}
	}
}

// A send queue that is empty uses the same slot again, and knows what comes
// after it.
func TestEmptySendQueueStartsAgain(t *testing.T) {
	b := newReqBench(t)
	var slot *sendWQE
	for i := range 40 { // more than the ring has
		b.post(verbs.WRSend, 1)
		if w := b.sq.at(b.sq.head); slot == nil {
			slot = w
		} else if w != slot {
			t.Fatalf("message %d does not use the slot of the one before", i)
		}
		b.post(verbs.WRSend, testMTU+1)
		b.sends(3*i, 3*i+1, 3*i+2)
		b.answer(3*i+2, wire.ACKNoCredits)
		b.retires(ok, ok)
	}
}
