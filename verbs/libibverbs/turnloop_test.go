//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"errors"
	"reflect"
	"slices"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// loopCase is a script for a device and what the turns must do on it.
type loopCase struct {
	name   string
	events int // if not 0, wait for events; this many are there
	turns  []verbs.Turn
	polls  []fakePoll
	failAt int
	fail   int32
	errnos []syscall.Errno // of the first calls of ibv_get_cq_event, which fail
}

func good(n int) fakePoll {
	p := fakePoll{}
	for i := range n {
		p.wcs = append(p.wcs, cWC{
			wrID: uint64(i), opcode: 128, byteLen: 4096, imm: 0x04030201, qpNum: 17, srcQP: 18,
			flags: 3, pkeyIndex: 5, slid: 6, sl: 7, dlidPathBits: 8,
		})
	}
	return p
}

func bad(status uint32) fakePoll {
	return fakePoll{wcs: []cWC{{wrID: 2, status: status, vendorErr: 0x81, qpNum: 17}}}
}

func join(ps ...fakePoll) (out fakePoll) {
	for _, p := range ps {
		out.wcs = append(out.wcs, p.wcs...)
	}
	return out
}

var empty = fakePoll{}

func loopCases() []loopCase {
	return []loopCase{
		{name: "no turns"},
		{name: "nothing to wait for", turns: []verbs.Turn{{Sends: 1}, {Recvs: 3, Sends: 2}, {}}},
		{
			name:  "ping-pong",
			turns: []verbs.Turn{{Sends: 1}, {Wait: 2, Recvs: 1, Sends: 1}, {Wait: 2, Recvs: 1, Sends: 1}, {Wait: 2}},
			polls: []fakePoll{empty, good(1), empty, empty, good(1), good(2), good(2)},
		},
		{name: "more than a turn wants", turns: []verbs.Turn{{Wait: 1, Recvs: 1}, {Wait: 3, Sends: 1}}, polls: []fakePoll{good(4)}},
		{name: "error at once", turns: []verbs.Turn{{Wait: 2, Sends: 1}, {}}, polls: []fakePoll{bad(12)}},
		{name: "error among others", turns: []verbs.Turn{{Wait: 4}}, polls: []fakePoll{good(1), join(good(1), bad(5), good(1))}},
		{name: "error that completes a turn", turns: []verbs.Turn{{Wait: 2, Sends: 1}}, polls: []fakePoll{join(good(1), bad(13))}},
		{name: "poll_cq fails", turns: []verbs.Turn{{}, {Wait: 2}}, polls: []fakePoll{good(1), {result: -2}}},
		{name: "first receive fails", turns: []verbs.Turn{{Recvs: 2, Sends: 1}}, failAt: 1, fail: int32(syscall.ENOMEM)},
		{name: "second send fails", turns: []verbs.Turn{{Recvs: 1}, {Sends: 3}}, failAt: 3, fail: int32(syscall.EINVAL)},
		{name: "negative errno", turns: []verbs.Turn{{Sends: 1}}, failAt: 1, fail: -int32(syscall.EPERM)},
		{
			name: "events", events: 4,
			turns: []verbs.Turn{{Recvs: 1}, {Wait: 2, Recvs: 1, Sends: 1}, {Wait: 1}},
			polls: []fakePoll{empty, good(1), good(1), good(1)},
		},
		{
			name: "event taken by somebody else", events: 1, errnos: []syscall.Errno{syscall.EAGAIN, syscall.EINTR},
			turns: []verbs.Turn{{Wait: 1}}, polls: []fakePoll{good(1)},
		},
		{
			name: "ibv_get_cq_event fails", events: 1, errnos: []syscall.Errno{syscall.EBADF},
			turns: []verbs.Turn{{Recvs: 1}, {Wait: 1}},
		},
		{name: "event then error", events: 2, turns: []verbs.Turn{{Wait: 2}}, polls: []fakePoll{good(1), bad(9)}},
	}
}

func newResult(turns []verbs.Turn) *verbs.TurnResult {
	return &verbs.TurnResult{At: make([]int64, len(turns)), WC: make([]verbs.WC, waits(turns))}
}

// outcome is all that one loop did with a script.
type outcome struct {
	res   verbs.TurnResult
	calls []string
	err   error
}

func (c *loopCase) run(t *testing.T, loop func(*fakeDevice, verbs.TurnSpec) verbs.TurnLoop) outcome {
	t.Helper()
	f := newFake(t, c.events)
	f.polls, f.failAt, f.fail, f.errnos = slices.Clone(c.polls), c.failAt, c.fail, c.errnos
	l := loop(f, f.spec(c.events > 0))
	res := newResult(c.turns)
	before := l.Now()
	err := l.Run(c.turns, res)
	after := l.Now()
	for i, at := range res.At {
		if i < res.Turns && (at < before || at > after) {
			t.Errorf("stamp %d is %d, not within %d and %d", i, at, before, after)
		}
		if i > res.Turns && at != 0 {
			t.Errorf("stamp %d of a turn not begun is %d", i, at)
		}
		res.At[i] = min(at, 1)
	}
	ok(t, l.Close())
	return outcome{*res, f.calls, err}
}

// TestTurnLoop compares the loop with the one of package verbs: same calls in
// the same order, same results, same error.
func TestTurnLoop(t *testing.T) {
	for _, c := range loopCases() {
		t.Run(c.name, func(t *testing.T) {
			want := c.run(t, func(f *fakeDevice, s verbs.TurnSpec) verbs.TurnLoop { return verbs.NewTurnLoop(f, s) })
			got := c.run(t, func(f *fakeDevice, s verbs.TurnSpec) verbs.TurnLoop {
				return must[verbs.TurnLoop](t)(f.NewTurnLoop(s))
			})
			if !slices.Equal(got.calls, want.calls) {
				t.Errorf("calls: got %v, want %v", got.calls, want.calls)
			}
			if !reflect.DeepEqual(got.res, want.res) {
				t.Errorf("result: got %+v, want %+v", got.res, want.res)
			}
			if !reflect.DeepEqual(got.err, want.err) {
				t.Errorf("error: got %#v, want %#v", got.err, want.err)
			}
		})
	}
}

// TestTurnLoopOutcome says in numbers what one script gives, so that the two
// loops cannot be wrong together.
func TestTurnLoopOutcome(t *testing.T) {
	c := loopCase{
		events: 2, turns: []verbs.Turn{{Recvs: 2, Sends: 1}, {Wait: 2, Sends: 1}, {Wait: 1}},
		polls: []fakePoll{good(2), bad(12)},
	}
	got := c.run(t, func(f *fakeDevice, s verbs.TurnSpec) verbs.TurnLoop {
		return must[verbs.TurnLoop](t)(f.NewTurnLoop(s))
	})
	calls := []string{"recv", "recv", "send", "event", "arm", "poll", "send", "event", "arm", "poll"}
	if got.err != nil || !slices.Equal(got.calls, calls) {
		t.Errorf("calls %v, error %v", got.calls, got.err)
	}
	if r := got.res; r.Turns != 2 || r.NumWC != 3 || r.Events != 2 || !slices.Equal(r.At, []int64{1, 1, 0}) {
		t.Errorf("result %+v", r)
	}
	want := verbs.WC{
		WRID: 1, Opcode: verbs.WCRecv, ByteLen: 4096, Imm: 0x01020304, QPN: 17, SrcQP: 18,
		Flags: verbs.WCWithGRH | verbs.WCWithImm, PKeyIndex: 5, SLID: 6, SL: 7, DLIDPathBits: 8,
	}
	if got.res.WC[1] != want {
		t.Errorf("completion: got %+v, want %+v", got.res.WC[1], want)
	}
	if wc := got.res.WC[2]; wc.Status != verbs.WCRetryExcErr || wc.VendorErr != 0x81 || wc.WRID != 2 {
		t.Errorf("failed completion: %+v", wc)
	}
}

// TestTurnLoopStop stops a loop that polls an empty queue, from a poll.
func TestTurnLoopStop(t *testing.T) {
	f := newFake(t, 0)
	l := must[verbs.TurnLoop](t)(f.NewTurnLoop(f.spec(false)))
	f.polls = []fakePoll{good(1), empty, {during: l.Stop}, good(1)}
	res := verbs.TurnResult{At: make([]int64, 2), WC: make([]verbs.WC, 2)}
	err := l.Run([]verbs.Turn{{Wait: 1}, {Wait: 1, Sends: 1}}, &res)
	if !errors.Is(err, verbs.ErrStopped) || res.Turns != 1 || res.NumWC != 1 || f.posts != 0 {
		t.Errorf("error %v, result %+v, %d posts", err, res, f.posts)
	}
	if err := l.Run([]verbs.Turn{{Wait: 1}}, &res); !errors.Is(err, verbs.ErrStopped) || res.Turns != 0 {
		t.Errorf("run after stop: error %v, result %+v", err, res)
	}
	ok(t, l.Close())
	l.Stop()
	ok(t, l.Close())
	if err := l.Run([]verbs.Turn{{}}, &res); !errors.Is(err, verbs.ErrClosed) {
		t.Errorf("run after close: %v", err)
	}
}

// TestTurnLoopStamps looks on from a poll: the turns before are there, from
// any of them on, and none between two runs.
func TestTurnLoopStamps(t *testing.T) {
	f := newFake(t, 0)
	l := must[verbs.TurnLoop](t)(f.NewTurnLoop(f.spec(false)))
	var seen []int64
	var late, before int
	look := func() {
		at := make([]int64, 5)
		seen = at[:l.Stamps(0, at)]
		late, before = l.Stamps(2, make([]int64, 1)), l.Stamps(3, make([]int64, 1))
	}
	f.polls = []fakePoll{good(1), good(1), good(1), {wcs: good(1).wcs, during: look}}
	turns := []verbs.Turn{{Wait: 1}, {Wait: 1}, {Wait: 1}, {Wait: 1}}
	res := verbs.TurnResult{At: make([]int64, 4), WC: make([]verbs.WC, 4)}
	ok(t, l.Run(turns, &res))
	if !slices.Equal(seen, res.At[:3]) || late != 1 || before != 0 {
		t.Errorf("the fourth poll sees the stamps %v, %d from the third on and %d after it, want %v, 1 and 0", seen, late, before, res.At[:3])
	}
	if n := l.Stamps(0, seen); n != 0 {
		t.Errorf("after the run there are %d stamps", n)
	}
	ok(t, l.Close())
	if n := l.Stamps(0, seen); n != 0 {
		t.Errorf("a closed loop has %d stamps", n)
	}
}

// TestTurnLoopStopEvent stops loops that wait for an event which never comes:
// from before, and while they wait.
func TestTurnLoopStopEvent(t *testing.T) {
	f := newFake(t, 1)
	l := must[verbs.TurnLoop](t)(f.NewTurnLoop(f.spec(true)))
	res := verbs.TurnResult{At: make([]int64, 1), WC: make([]verbs.WC, 2)}
	f.polls = []fakePoll{{wcs: good(1).wcs, during: func() { go l.Stop() }}}
	err := l.Run([]verbs.Turn{{Wait: 2}}, &res)
	if !errors.Is(err, verbs.ErrStopped) || res.NumWC != 1 || res.Events != 1 {
		t.Errorf("error %v, result %+v", err, res)
	}
	ok(t, l.Close())
}

func TestTurnLoopRoom(t *testing.T) {
	f := newFake(t, 0)
	l := must[verbs.TurnLoop](t)(f.NewTurnLoop(f.spec(false)))
	defer func() { ok(t, l.Close()) }()
	err := l.Run([]verbs.Turn{{Wait: 2}}, &verbs.TurnResult{At: make([]int64, 1), WC: make([]verbs.WC, 1)})
	if err == nil || len(f.calls) != 0 {
		t.Errorf("error %v, calls %v", err, f.calls)
	}
}
