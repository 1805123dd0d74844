package softroce

import (
	"sync"

	"ibtour/verbs"
)

// eventQueue holds events until they are taken: the file behind a completion
// channel or behind the asynchronous events of a context.
type eventQueue[T any] struct {
	mu     sync.Mutex
	events []T
	ready  chan struct{} // holds one token while events may be there
	closed chan struct{}
	once   sync.Once
}

func newEventQueue[T any]() *eventQueue[T] {
	return &eventQueue[T]{ready: make(chan struct{}, 1), closed: make(chan struct{})}
}

func (q *eventQueue[T]) put(e T) {
	q.mu.Lock()
	q.events = append(q.events, e)
	q.mu.Unlock()
	q.signal()
}

func (q *eventQueue[T]) signal() {
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// take returns the oldest event, if there is one. took runs before anybody
// can see that it is gone.
func (q *eventQueue[T]) take(took func(T)) (e T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.events) == 0 {
		return e, false
	}
	e = q.events[0]
	q.events = q.events[:copy(q.events, q.events[1:])]
	took(e)
	if len(q.events) > 0 {
		q.signal()
	}
	return e, true
}

// wait is take that waits for an event, for stop or for close.
func (q *eventQueue[T]) wait(stop <-chan struct{}, took func(T)) (e T, err error) {
	for {
		if e, ok := q.take(took); ok {
			return e, nil
		}
		select {
		case <-q.ready:
		case <-stop:
			return e, verbs.ErrStopped
		case <-q.closed:
			return e, verbs.ErrClosed
		}
	}
}

// drop forgets the events nobody took that match.
func (q *eventQueue[T]) drop(match func(T) bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	kept := q.events[:0]
	for _, e := range q.events {
		if !match(e) {
			kept = append(kept, e)
		}
	}
	q.events = kept
}

func (q *eventQueue[T]) close() { q.once.Do(func() { close(q.closed) }) }

// account counts the events taken of an object and waits, when it is
// destroyed, until the program has acknowledged them all.
type account struct {
	mu    sync.Mutex
	taken int
	acked int
	moved chan struct{} // closed and replaced at every acknowledgement
}

func (a *account) take() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken++
}

func (a *account) ack(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.acked += n
	if a.moved != nil {
		close(a.moved)
		a.moved = nil
	}
}

// settle waits until everything taken is acknowledged or gone is closed.
func (a *account) settle(gone <-chan struct{}) {
	for {
		a.mu.Lock()
		if a.acked >= a.taken {
			a.mu.Unlock()
			return
		}
		if a.moved == nil {
			a.moved = make(chan struct{})
		}
		moved := a.moved
		a.mu.Unlock()
		select {
		case <-moved:
		case <-gone:
			return
		}
	}
}
