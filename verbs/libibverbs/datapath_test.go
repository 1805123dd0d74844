//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"errors"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// TestNoAllocations counts heap allocations of the data path, with functions
// of C that return 0.
func TestNoAllocations(t *testing.T) {
	f := newFake(t, 0)
	zero := libcFunction(t, "sched_yield").addr
	f.ops.pollCQ, f.ops.reqNotifyCQ, f.ops.postSend, f.ops.postRecv = zero, zero, zero, zero
	send := &verbs.SendWR{SGList: []verbs.SGE{{}}}
	recv := &verbs.RecvWR{SGList: []verbs.SGE{{}}}
	wcs := make([]verbs.WC, 4)
	for name, call := range map[string]func() error{
		"PostSend":    func() error { return f.PostSend(f.qp, send) },
		"PostRecv":    func() error { return f.PostRecv(f.qp, recv) },
		"PollCQ":      func() error { _, err := f.PollCQ(f.cq, wcs); return err },
		"ReqNotifyCQ": func() error { return f.ReqNotifyCQ(f.cq, false) },
	} {
		if n := testing.AllocsPerRun(1000, func() { ok(t, call()) }); n != 0 {
			t.Errorf("%s makes %v allocations", name, n)
		}
	}
}

// TestLoopAllocations runs a loop twice: the second time the memory is there.
func TestLoopAllocations(t *testing.T) {
	f := newFake(t, 0)
	zero := libcFunction(t, "sched_yield").addr
	f.ops.postSend, f.ops.postRecv = zero, zero
	l := must[verbs.TurnLoop](t)(f.NewTurnLoop(f.spec(false)))
	defer func() { ok(t, l.Close()) }()
	turns := make([]verbs.Turn, 1000)
	for i := range turns {
		turns[i] = verbs.Turn{Recvs: 1, Sends: 2}
	}
	res := newResult(turns)
	if n := testing.AllocsPerRun(10, func() { ok(t, l.Run(turns, res)) }); n > 1 {
		t.Errorf("%v allocations for 1000 turns", n)
	}
	if res.Turns != 1000 {
		t.Errorf("%d turns", res.Turns)
	}
}

func TestPollTakesAtMostItsRoom(t *testing.T) {
	f := newFake(t, 0)
	f.polls = []fakePoll{good(100)}
	wcs := make([]verbs.WC, 100)
	for _, want := range []int{pollMost, 100 - pollMost} {
		if n := must[int](t)(f.PollCQ(f.cq, wcs)); n != want || wcs[n-1].QPN != 17 {
			t.Errorf("%d completions, want %d; the last is %+v", n, want, wcs[n-1])
		}
	}
}

// TestDatagramPost: without address handles a driver would follow NULL.
func TestDatagramPost(t *testing.T) {
	f := newFake(t, 0)
	f.qp.typ = verbs.QPTUD
	if err := f.PostSend(f.qp, &verbs.SendWR{}); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("post: %v", err)
	}
	if _, err := f.NewTurnLoop(f.spec(false)); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("turn loop: %v", err)
	}
}

// BenchmarkPollEmpty is the price of one foreign call of the data path.
func BenchmarkPollEmpty(b *testing.B) {
	f := newFake(b, 0)
	f.ops.pollCQ = libcFunction(b, "abs").addr
	f.cq.poll[0] = 0 // abs(0) completions
	wcs := make([]verbs.WC, 1)
	b.ReportAllocs()
	for b.Loop() {
		if n, err := f.PollCQ(f.cq, wcs); n != 0 || err != nil {
			b.Fatal(n, err)
		}
	}
}
