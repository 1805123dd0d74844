package softroce

import (
	"sync/atomic"
	"time"
)

// A program that polls keeps a processor busy. Where processors are few, that
// is the one its peer needs. So a poll that found nothing many times in a row
// waits a little for a completion before it says so once more.
const (
	spins    = 64
	parkTime = 100 * time.Microsecond
)

// parking is where a goroutine waits that polls an empty queue.
type parking struct {
	empty atomic.Int32 // polls in a row that found nothing
	taken atomic.Int32 // 1 while a goroutine waits
	token chan struct{}
	timer *time.Timer
}

func (p *parking) init() {
	p.token, p.timer = make(chan struct{}, 1), time.NewTimer(time.Hour)
	p.timer.Stop()
}

// wake ends the wait.
func (p *parking) wake() {
	if p.taken.Load() == 0 {
		return
	}
	select {
	case p.token <- struct{}{}:
	default:
	}
}

// idle notes a poll that found nothing, and may wait.
func (q *cq) idle(d *device) {
	p := &q.park
	if p.empty.Add(1) < spins || !p.taken.CompareAndSwap(0, 1) {
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
	d.beginWait()
	defer d.endWait()
	p.timer.Reset(parkTime)
	defer p.timer.Stop()
	select {
	case <-p.token:
	case <-p.timer.C:
	}
}
