//go:build lab

package libibverbs

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"ibtour/verbs"
)

// play runs a ping-pong of n rounds between the two ends with turn loops: a
// sends first. It returns what each end saw.
func play(t *testing.T, a, b *end, n int, events bool) (ra, rb *verbs.TurnResult) {
	t.Helper()
	turns := make([]verbs.Turn, n)
	for i := range turns {
		turns[i] = verbs.Turn{Wait: 2, Recvs: 1, Sends: 1}
	}
	first := append([]verbs.Turn{{Recvs: 2, Sends: 1}}, turns[:n-1]...)
	first = append(first, verbs.Turn{Wait: 2})
	second := append([]verbs.Turn{{Wait: 1, Recvs: 1, Sends: 1}}, turns[:n-1]...)
	second = append(second, verbs.Turn{Wait: 1})
	if events { // armed before the first completion, or it would raise no event
		ok(t, errors.Join(a.cq.ReqNotify(false), b.cq.ReqNotify(false)))
	}
	rwr := b.recvWR()
	ok(t, b.qp.PostRecv(&rwr))
	done := make(chan error)
	ra, rb = newResult(first), newResult(second)
	go func() { done <- b.batch(events, second, rb) }()
	ok(t, a.batch(events, first, ra))
	ok(t, <-done)
	return ra, rb
}

func (e *end) batch(events bool, turns []verbs.Turn, res *verbs.TurnResult) error {
	l, err := e.qp.NewBatch(e.cq, events, e.sendWR(), e.recvWR())
	if err != nil {
		return err
	}
	return errors.Join(l.Run(context.Background(), turns, res), l.Close())
}

func TestLabTurnLoop(t *testing.T) {
	for _, events := range []bool{false, true} {
		t.Run(fmt.Sprintf("events=%v", events), func(t *testing.T) {
			const n = 200
			a, b := newPair(t, 4096)
			copy(a.buf.Bytes(), "ping-pong")
			ra, rb := play(t, a, b, n, events)
			if ra.Turns != n+1 || ra.NumWC != 2*n || rb.Turns != n+1 || rb.NumWC != 2*n {
				t.Fatalf("results: %d turns %d completions, %d turns %d completions", ra.Turns, ra.NumWC, rb.Turns, rb.NumWC)
			}
			for i := 1; i <= n; i++ {
				if ra.At[i] <= ra.At[i-1] {
					t.Fatalf("stamp %d is %d after %d", i, ra.At[i], ra.At[i-1])
				}
			}
			for _, wc := range append(ra.WC, rb.WC...) {
				ok(t, wc.Err())
			}
			if got := string(b.buf.Bytes()[:9]); got != "ping-pong" {
				t.Errorf("data: %q", got)
			}
			if q := a.qp.Queues(); q != (verbs.Queues{Sends: n, SendsDone: n, Recvs: n + 1, RecvsDone: n}) {
				t.Errorf("queues: %+v", q)
			}
		})
	}
}

// TestLabTurnLoopStop ends the context of a loop that waits for a peer which
// never sends.
func TestLabTurnLoopStop(t *testing.T) {
	for _, events := range []bool{false, true} {
		t.Run(fmt.Sprintf("events=%v", events), func(t *testing.T) {
			a, _ := newPair(t, 64)
			l := must[*verbs.Batch](t)(a.qp.NewBatch(a.cq, events, a.sendWR(), a.recvWR()))
			defer func() { ok(t, l.Close()) }()
			cause := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			turns := []verbs.Turn{{Recvs: 1}, {Wait: 1}}
			done := make(chan error)
			go func() { done <- l.Run(ctx, turns, newResult(turns)) }()
			cancel(cause)
			if err := <-done; !errors.Is(err, cause) {
				t.Errorf("stopped loop: %v", err)
			}
		})
	}
}
