package softroce

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A program that polls keeps a processor busy. Where processors are few, that
// is the one its peer needs. So a poll that found nothing some times in a row
// waits a little for a completion before it says so once more.
const (
	spins    = 3
	parkTime = 100 * time.Microsecond
)

// parking is where a goroutine waits that polls an empty queue.
type parking struct {
	empty atomic.Int32 // polls in a row that found nothing
	taken atomic.Int32 // 1 while a goroutine waits
	// reader is the socket a goroutine reads meanwhile; under the device lock.
	reader *udpLink
	token  chan struct{}
	timer  *time.Timer
}

func (p *parking) init() {
	p.token, p.timer = make(chan struct{}, 1), time.NewTimer(time.Hour)
	p.timer.Stop()
}

// wake ends the wait.
// Precondition: the device is locked.
func (p *parking) wake() {
	if p.reader != nil {
		p.reader.interrupt()
	}
	if p.taken.Load() == 0 {
		return
	}
	select {
	case p.token <- struct{}{}:
	default:
	}
}

// idle notes a poll that found nothing, and lets others go on. After some of
// them it waits a little: for the socket, if the device has one that nobody else
// reads, else for who brings a completion.
func (q *cq) idle(d *device) {
	if u := d.lone.Load(); u != nil && u.claim() {
		u.readFor(q)
		if d.waiters.Load() > 0 {
			u.rouse()
		}
		return
	}
	if q.park.empty.Add(1) < spins {
		runtime.Gosched()
		return
	}
	q.wait(d)
}

// wait waits for a completion.
func (q *cq) wait(d *device) {
	p := &q.park
	if !p.taken.CompareAndSwap(0, 1) {
		return
	}
	defer p.taken.Store(0)
	select {
	case <-p.token: // of an earlier wait
	default:
	}
	if q.n.Load() > 0 {
		return
	}
	d.parked.Store(q)
	defer d.parked.CompareAndSwap(q, nil)
	d.beginWait()
	defer d.endWait()
	p.timer.Reset(parkTime)
	defer p.timer.Stop()
	select {
	case <-p.token:
	case <-p.timer.C:
	}
}

// wakeElsewhere ends a wait for another queue when c completes, if one program
// may be polling both in turn: it found c empty and does not wait there.
func (d *device) wakeElsewhere(c *cq) {
	if c.park.empty.Load() == 0 || c.park.taken.Load() != 0 {
		return
	}
	if q := d.parked.Load(); q != nil && q != c {
		q.park.wake()
	}
}
