package softroce

import (
	"sync"
	"sync/atomic"

	"ibtour/verbs"
)

// cqState says whether a queue still takes completions.
//
//	open ── completion to a full queue ──▶ overrun
type cqState uint8

const (
	cqOpen cqState = iota
	cqOverrun
)

// cq is a completion queue: a ring that is filled under the lock of the device
// and emptied under its own, so that polling does not meet the lock of the device.
type cq struct {
	ctx    *devContext
	ch     *channel
	events account // of the channel
	async  account
	users  int // queue pairs, each queue of them counted; under the device lock
	dead   bool

	ring  []verbs.WC
	n     atomic.Int32 // completions in the ring: what is counted belongs to who polls
	tail  int          // where the next one goes; under the device lock
	state cqState      // under the device lock
	park  parking

	mu   sync.Mutex
	head int // the oldest one
	arm  armState
}

// createCQ creates a queue (ibv_create_cq). EINVAL: fewer than one entry, more
// than max_cqe, or a completion vector that is not there.
func (d *device) createCQ(ctx *devContext, cqe int, ch *channel, vector int) (*cq, error) {
	if cqe < 1 || cqe > maxCQE || vector != 0 {
		return nil, errInval
	}
	if d.counts.cq >= maxCQ {
		return nil, errNoMem
	}
	d.counts.cq++
	q := &cq{ctx: ctx, ch: ch, ring: make([]verbs.WC, cqe)}
	q.park.init()
	if ch != nil {
		ch.cqs++
	}
	ctx.cqs[q] = struct{}{}
	return q, nil
}

// retire takes the queue out of use. EBUSY: a queue pair uses it.
func (d *device) retireCQ(q *cq) error {
	if q.users > 0 {
		return errBusy
	}
	q.dead = true
	d.counts.cq--
	delete(q.ctx.cqs, q)
	if q.ch != nil {
		q.ch.cqs--
		q.ch.events.drop(func(e *cq) bool { return e == q })
	}
	q.ctx.events.drop(func(e verbs.AsyncEvent) bool { return e.Element == q })
	return nil
}

func (q *cq) tookEvent() { q.events.take() }

// push adds a completion. It returns false when the queue overflows, once.
// Precondition: the device is locked.
func (q *cq) push(wc *verbs.WC, solicited bool) bool {
	if q.state == cqOverrun {
		return true // lost; the program has been told
	}
	if int(q.n.Load()) == len(q.ring) {
		q.state = cqOverrun
		return false
	}
	q.ring[q.tail] = *wc
	if q.tail++; q.tail == len(q.ring) {
		q.tail = 0
	}
	if q.ch == nil {
		q.n.Add(1)
	} else {
		q.announce(wc, solicited)
	}
	q.park.wake()
	return true
}

// announce counts the completion added, and raises an event if the queue is
// armed. Both at once: a program that arms the queue in between would get an
// event for a completion it may have polled.
func (q *cq) announce(wc *verbs.WC, solicited bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.n.Add(1)
	if q.arm.raises(wc, solicited) {
		q.arm = armNone
		q.ch.events.put(q)
	}
}

// poll takes up to len(wc) completions.
func (q *cq) poll(wc []verbs.WC) int {
	if q.n.Load() == 0 {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.park.empty.Load() != 0 {
		q.park.empty.Store(0)
	}
	n := min(int(q.n.Load()), len(wc))
	for i := range n {
		wc[i] = q.ring[q.head]
		q.head++
		if q.head == len(q.ring) {
			q.head = 0
		}
	}
	q.n.Add(int32(-n))
	return n
}

// request arms the queue (ibv_req_notify_cq). A request for solicited events
// does not weaken one for any.
func (q *cq) request(solicitedOnly bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if solicitedOnly {
		q.arm = max(q.arm, armSolicited)
	} else {
		q.arm = armAny
	}
}
