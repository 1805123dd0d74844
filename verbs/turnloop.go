package verbs

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// goTurnLoop executes turns with the calls of a DriverContext. It is what
// Turn means; a driver with a faster loop is tested against it.
type goTurnLoop struct {
	dc    DriverContext
	spec  TurnSpec
	epoch time.Time
	stop  chan struct{}
	once  sync.Once
	down  atomic.Bool

	mu   sync.Mutex   // of at
	at   []int64      // of the Run under way
	done atomic.Int64 // turns of it
}

// NewTurnLoop returns a TurnLoop for drivers that have none of their own. It
// polls without rest: a driver whose completions come from goroutines of this
// process lets them run when a poll finds nothing.
func NewTurnLoop(dc DriverContext, spec TurnSpec) TurnLoop {
	return &goTurnLoop{dc: dc, spec: spec, epoch: time.Now(), stop: make(chan struct{})}
}

func (l *goTurnLoop) Now() int64 { return int64(time.Since(l.epoch)) }

func (l *goTurnLoop) Stop() {
	l.once.Do(func() {
		l.down.Store(true)
		close(l.stop)
	})
}

func (l *goTurnLoop) Close() error { return nil }

func (l *goTurnLoop) Run(turns []Turn, res *TurnResult) error {
	res.Turns, res.NumWC, res.Events = 0, 0, 0
	l.show(res.At)
	defer l.show(nil)
	for i, t := range turns {
		ok, err := l.wait(int(t.Wait), res)
		if err != nil || !ok {
			return err
		}
		res.At[i] = l.Now()
		if err := l.post(t); err != nil {
			return err
		}
		res.Turns++
		l.done.Store(int64(res.Turns))
	}
	return nil
}

// show lets Stamps see the stamps of a Run.
func (l *goTurnLoop) show(at []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = at
	l.done.Store(0)
}

func (l *goTurnLoop) Stamps(from int, at []int64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	done := int(l.done.Load())
	if from >= done {
		return 0
	}
	return copy(at, l.at[from:done])
}

// wait takes n completions and reports whether all were successes.
func (l *goTurnLoop) wait(n int, res *TurnResult) (bool, error) {
	for want := res.NumWC + n; res.NumWC < want; {
		if l.down.Load() {
			return false, ErrStopped
		}
		if l.spec.Channel != nil {
			if err := l.event(res); err != nil {
				return false, err
			}
		}
		got, err := l.dc.PollCQ(l.spec.CQ, res.WC[res.NumWC:want])
		if err != nil {
			return false, wrap("ibv_poll_cq", "", err)
		}
		res.NumWC += got
		if failed(res.WC[res.NumWC-got:res.NumWC]) != nil {
			return false, nil
		}
	}
	return true, nil
}

// event waits at the channel and arms the queue again before it is polled: a
// completion that comes later raises the next event.
func (l *goTurnLoop) event(res *TurnResult) error {
	if _, err := l.dc.GetCQEvent(l.spec.Channel, l.stop); err != nil {
		if errors.Is(err, ErrStopped) {
			return err
		}
		return wrap("ibv_get_cq_event", "", err)
	}
	res.Events++
	return wrap("ibv_req_notify_cq", "", l.dc.ReqNotifyCQ(l.spec.CQ, false))
}

func (l *goTurnLoop) post(t Turn) error {
	for range t.Recvs {
		if err := l.dc.PostRecv(l.spec.QP, &l.spec.Recv); err != nil {
			return wrap("ibv_post_recv", "", err)
		}
	}
	for range t.Sends {
		if err := l.dc.PostSend(l.spec.QP, &l.spec.Send); err != nil {
			return wrap("ibv_post_send", "", err)
		}
	}
	return nil
}
