package verbs_test

import (
	"context"
	"errors"
	"testing"

	"ibtour/verbs"
)

// post posts sends with wr_id 2 and receives with wr_id 1.
func post(t *testing.T, q *verbs.QP, sends, recvs int) {
	t.Helper()
	for range sends {
		must(t, q.PostSend(&verbs.SendWR{WRID: 2}))
	}
	for range recvs {
		must(t, q.PostRecv(&verbs.RecvWR{WRID: 1}))
	}
}

// poll takes the completions given from the queue.
func (o *objects) poll(t *testing.T, f *fake, wcs ...verbs.WC) {
	t.Helper()
	for i := range wcs {
		wcs[i].QPN = o.qp.Num()
	}
	f.polls = append(f.polls, wcs)
	if n, err := o.cq.Poll(make([]verbs.WC, 8)); n != len(wcs) || err != nil {
		t.Fatalf("Poll gives %d, %v", n, err)
	}
}

func (o *objects) expect(t *testing.T, want verbs.Queues) {
	t.Helper()
	if got := o.qp.Queues(); got != want {
		t.Errorf("the queues are %+v, want %+v", got, want)
	}
}

var (
	sent     = verbs.WC{WRID: 2, Opcode: verbs.WCSend}
	received = verbs.WC{WRID: 1, Opcode: verbs.WCRecv}
	failed   = verbs.WC{WRID: 2, Status: verbs.WCRetryExcErr, Opcode: 0xFFFF} // opcode is not valid
	flushed  = verbs.WC{WRID: 1, Status: verbs.WCWRFlushErr}
)

func TestQueues(t *testing.T) {
	f := &fake{}
	o := build(t, f, nil)
	post(t, o.qp, 2, 4)
	o.expect(t, verbs.Queues{Sends: 2, Recvs: 4})
	o.poll(t, f, sent, received)
	o.expect(t, verbs.Queues{Sends: 2, SendsDone: 1, Recvs: 4, RecvsDone: 1})
	o.poll(t, f)
	o.poll(t, f, failed, flushed, flushed)
	o.expect(t, verbs.Queues{Sends: 2, SendsDone: 2, Recvs: 4, RecvsDone: 3})
	if o.cq.Polled() != 5 {
		t.Errorf("%d completions were polled, want 5", o.cq.Polled())
	}
	other := received
	other.QPN = 0x99
	f.polls = [][]verbs.WC{{other}}
	if _, err := o.cq.Poll(make([]verbs.WC, 1)); err != nil {
		t.Error(err)
	}
	o.expect(t, verbs.Queues{Sends: 2, SendsDone: 2, Recvs: 4, RecvsDone: 3})
}

// What a device refuses was not posted; RESET drops what was.
func TestQueuesRefusedAndReset(t *testing.T) {
	f := &fake{}
	o := build(t, f, nil)
	post(t, o.qp, 1, 2)
	f.fail = map[string]error{"PostSend": errHeld, "PostRecv": errHeld}
	if err := o.qp.PostSend(&verbs.SendWR{}); !errors.Is(err, errHeld) {
		t.Errorf("PostSend gives %v", err)
	}
	if err := o.qp.PostRecv(&verbs.RecvWR{}); !errors.Is(err, errHeld) {
		t.Errorf("PostRecv gives %v", err)
	}
	o.expect(t, verbs.Queues{Sends: 1, Recvs: 2})
	f.fail = nil
	must(t, o.qp.Modify(verbs.QPAttr{State: verbs.QPSReset}, verbs.AttrState))
	o.expect(t, verbs.Queues{Sends: 1, SendsDone: 1, Recvs: 2, RecvsDone: 2})
}

// The completion of a failed request does not say of which queue it is: with
// the same wr_id on both, an empty queue cannot be meant.
func TestQueuesErrorsWithEqualIDs(t *testing.T) {
	f := &fake{}
	o := build(t, f, nil)
	flush := verbs.WC{Status: verbs.WCWRFlushErr}
	must(t, o.qp.PostSend(&verbs.SendWR{}))
	o.poll(t, f, flush) // nothing is in the receive queue
	o.expect(t, verbs.Queues{Sends: 1, SendsDone: 1})
	for id := range uint64(3) {
		must(t, o.qp.PostRecv(&verbs.RecvWR{WRID: id})) // each its own wr_id
	}
	o.poll(t, f, flush, flush, flush)
	o.expect(t, verbs.Queues{Sends: 1, SendsDone: 1, Recvs: 3, RecvsDone: 3})
}

// Where each queue has its own completion queue, that tells them apart.
func TestQueuesOnTwoCQs(t *testing.T) {
	f := &fake{}
	o := build(t, f, nil)
	must(t, o.qp.Close())
	recvCQ, err := o.ctx.CreateCQ(4, nil)
	must(t, err)
	cfg := o.config()
	cfg.RecvCQ = recvCQ
	o.qp, err = o.pd.CreateQP(cfg)
	must(t, err)
	must(t, o.qp.PostSend(&verbs.SendWR{WRID: 7}))
	must(t, o.qp.PostRecv(&verbs.RecvWR{WRID: 7}))
	o.poll(t, f, verbs.WC{WRID: 7, Status: verbs.WCWRFlushErr})
	o.expect(t, verbs.Queues{Sends: 1, SendsDone: 1, Recvs: 1})
	o.cq = recvCQ
	o.poll(t, f, verbs.WC{WRID: 7, Status: verbs.WCWRFlushErr})
	o.expect(t, verbs.Queues{Sends: 1, SendsDone: 1, Recvs: 1, RecvsDone: 1})
}

// ours gives completions the number of the queue pair.
func ours(wcs ...verbs.WC) []verbs.WC {
	for i := range wcs {
		wcs[i].QPN = 0x11
	}
	return wcs
}

func batch(t *testing.T, o *objects, events bool) *verbs.Batch {
	t.Helper()
	b, err := o.qp.NewBatch(o.cq, events, verbs.SendWR{WRID: 2}, verbs.RecvWR{WRID: 1})
	must(t, err)
	t.Cleanup(func() { must(t, b.Close()) })
	return b
}

func TestBatchBooks(t *testing.T) {
	f := &fake{polls: [][]verbs.WC{ours(received), {}, ours(sent, received)}}
	o := build(t, f, nil)
	b := batch(t, o, true)
	turns := []verbs.Turn{{Recvs: 3, Sends: 1}, {Wait: 1, Recvs: 1}, {Wait: 2, Sends: 1}}
	res := &verbs.TurnResult{At: make([]int64, 3), WC: make([]verbs.WC, 3)}
	must(t, b.Run(t.Context(), turns, res))
	o.expect(t, verbs.Queues{Sends: 2, SendsDone: 1, Recvs: 4, RecvsDone: 2})
	if o.cq.Unacked() != 3 || o.cq.Polled() != 3 || res.Events != 3 || res.Turns != 3 {
		t.Errorf("%d events, %d polled, %+v", o.cq.Unacked(), o.cq.Polled(), res)
	}
	if res.At[0] > res.At[1] || res.At[1] > res.At[2] || res.At[2] > b.Now() {
		t.Errorf("the times are %v", res.At)
	}
}

// A failed completion ends the run and is booked, with what came before.
func TestBatchBooksAFailure(t *testing.T) {
	f := &fake{polls: [][]verbs.WC{ours(received), ours(failed, flushed)}}
	o := build(t, f, nil)
	post(t, o.qp, 1, 2)
	turns := []verbs.Turn{{Wait: 1, Sends: 1}, {Wait: 2, Sends: 1}}
	res := &verbs.TurnResult{At: make([]int64, 2), WC: make([]verbs.WC, 3)}
	err := batch(t, o, false).Run(t.Context(), turns, res)
	var ce *verbs.CompletionError
	if !errors.As(err, &ce) || ce.Status != verbs.WCRetryExcErr || ce.WRID != 2 {
		t.Errorf("Run gives %v", err)
	}
	if res.Turns != 1 {
		t.Errorf("%d turns are complete, want 1", res.Turns)
	}
	o.expect(t, verbs.Queues{Sends: 2, SendsDone: 1, Recvs: 2, RecvsDone: 2})
}

// The end of the context stops a run, with its cause; it is stopped for good.
func TestBatchStops(t *testing.T) {
	stopped := make(chan struct{})
	o := build(t, &fake{loop: &waitingLoop{stopped: stopped}}, nil)
	b := batch(t, o, false)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errLater)
	if err := b.Run(ctx, nil, &verbs.TurnResult{}); !errors.Is(err, errLater) {
		t.Errorf("Run gives %v", err)
	}
	if err := b.Run(t.Context(), nil, &verbs.TurnResult{}); !errors.Is(err, verbs.ErrStopped) {
		t.Errorf("a run after that gives %v", err)
	}
}

// waitingLoop is a loop that only waits to be stopped.
type waitingLoop struct{ stopped chan struct{} }

func (l *waitingLoop) Run([]verbs.Turn, *verbs.TurnResult) error {
	<-l.stopped
	return verbs.ErrStopped
}
func (l *waitingLoop) Now() int64   { return 0 }
func (l *waitingLoop) Stop()        { close(l.stopped) }
func (l *waitingLoop) Close() error { return nil }

func (l *waitingLoop) Stamps(int, []int64) int { return 0 }

func TestNewBatchRefuses(t *testing.T) {
	f := &fake{}
	o := build(t, f, nil)
	cq, err := o.ctx.CreateCQ(1, nil)
	must(t, err)
	if _, err := o.qp.NewBatch(cq, true, verbs.SendWR{}, verbs.RecvWR{}); err == nil {
		t.Error("a queue without a channel can be waited for")
	}
	f.fail = map[string]error{"NewTurnLoop": errHeld}
	if _, err := o.qp.NewBatch(cq, false, verbs.SendWR{}, verbs.RecvWR{}); !errors.Is(err, errHeld) {
		t.Errorf("NewBatch gives %v", err)
	}
}
