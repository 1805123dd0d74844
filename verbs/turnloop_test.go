package verbs_test

import (
	"errors"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// runLoop runs turns on a scripted device and returns its calls in one line.
func runLoop(t *testing.T, f *fake, events bool, turns ...verbs.Turn) (calls string, res *verbs.TurnResult, err error) {
	t.Helper()
	spec := verbs.TurnSpec{QP: "qp", CQ: "cq"}
	if events {
		spec.Channel = "channel"
	}
	l := verbs.NewTurnLoop(f, spec)
	waits := 0
	for _, turn := range turns {
		waits += int(turn.Wait)
	}
	res = &verbs.TurnResult{At: make([]int64, len(turns)), WC: make([]verbs.WC, waits), Turns: 99, NumWC: 99, Events: 99}
	err = l.Run(turns, res)
	must(t, l.Close())
	return strings.Join(f.log, " "), res, err
}

func TestTurnLoopOrder(t *testing.T) {
	polls := func() [][]verbs.WC { return [][]verbs.WC{{}, {received}, {sent, received}} }
	turns := []verbs.Turn{{Recvs: 2, Sends: 1}, {Wait: 1, Recvs: 1}, {Wait: 2, Sends: 2}}
	for _, c := range []struct {
		events bool
		want   string
	}{
		{false, "PostRecv PostRecv PostSend PollCQ PollCQ PostRecv PollCQ PostSend PostSend"},
		{true, "PostRecv PostRecv PostSend GetCQEvent ReqNotifyCQ PollCQ GetCQEvent ReqNotifyCQ PollCQ PostRecv " +
			"GetCQEvent ReqNotifyCQ PollCQ PostSend PostSend"},
	} {
		calls, res, err := runLoop(t, &fake{polls: polls()}, c.events, turns...)
		if err != nil || calls != c.want {
			t.Errorf("events %v: %v, calls\n%s, want\n%s", c.events, err, calls, c.want)
		}
		if res.Turns != 3 || res.NumWC != 3 || res.WC[2] != received || (res.Events == 3) != c.events {
			t.Errorf("events %v: %+v", c.events, res)
		}
	}
}

// After a completion with an error nothing more is posted, and it is among
// the results.
func TestTurnLoopBadCompletion(t *testing.T) {
	calls, res, err := runLoop(t, &fake{polls: [][]verbs.WC{{received, failed}}}, false,
		verbs.Turn{Wait: 3, Sends: 1}, verbs.Turn{Sends: 1})
	if err != nil || calls != "PollCQ" {
		t.Errorf("%v, calls %s", err, calls)
	}
	if res.Turns != 0 || res.NumWC != 2 || res.WC[1] != failed {
		t.Errorf("%+v", res)
	}
}

// A call that fails ends the loop and is named.
func TestTurnLoopFailingCall(t *testing.T) {
	for method, op := range map[string]string{
		"PollCQ": "ibv_poll_cq", "PostSend": "ibv_post_send", "PostRecv": "ibv_post_recv",
		"GetCQEvent": "ibv_get_cq_event", "ReqNotifyCQ": "ibv_req_notify_cq",
	} {
		f := &fake{polls: [][]verbs.WC{{received}}, fail: map[string]error{method: syscall.ENOMEM}}
		_, res, err := runLoop(t, f, true, verbs.Turn{Wait: 1, Recvs: 1, Sends: 1})
		var verr *verbs.Error
		if !errors.As(err, &verr) || verr.Op != op || !errors.Is(err, syscall.ENOMEM) || res.Turns != 0 {
			t.Errorf("%s: %v, %+v", method, err, res)
		}
	}
}

// Stop ends a loop that polls or waits for an event, and every later one.
func TestTurnLoopStop(t *testing.T) {
	for _, events := range []bool{false, true} {
		f := &fake{}
		spec := verbs.TurnSpec{CQ: "cq"}
		if events {
			spec.Channel = "channel"
		}
		dev := &stopping{fake: f}
		l := verbs.NewTurnLoop(dev, spec)
		dev.loop = l
		turns := []verbs.Turn{{}, {Wait: 1}}
		res := &verbs.TurnResult{At: make([]int64, 2), WC: make([]verbs.WC, 1)}
		if err := l.Run(turns, res); !errors.Is(err, verbs.ErrStopped) || res.Turns != 1 {
			t.Errorf("events %v: %v, %+v", events, err, res)
		}
		n := len(f.log)
		if err := l.Run(turns, res); !errors.Is(err, verbs.ErrStopped) || len(f.log) != n {
			t.Errorf("events %v: a loop that was stopped gives %v", events, err)
		}
	}
}

// stopping is a device that stops its loop when it has nothing to report.
type stopping struct {
	*fake
	loop verbs.TurnLoop
}

func (s *stopping) PollCQ(cq verbs.Handle, wc []verbs.WC) (int, error) {
	s.loop.Stop()
	s.loop.Stop()
	return s.fake.PollCQ(cq, wc)
}

// Stamps shows the turns that are done while the next one waits, and nothing
// between two runs.
func TestTurnLoopStamps(t *testing.T) {
	f := &fake{polls: [][]verbs.WC{{received}, {received}}}
	dev := &looking{fake: f}
	l := verbs.NewTurnLoop(dev, verbs.TurnSpec{CQ: "cq"})
	dev.loop = l
	res := &verbs.TurnResult{At: make([]int64, 2), WC: make([]verbs.WC, 2)}
	if err := l.Run([]verbs.Turn{{Wait: 1}, {Wait: 1}}, res); err != nil {
		t.Fatal(err)
	}
	if want := [][]int64{{}, res.At[:1]}; !reflect.DeepEqual(dev.seen, want) {
		t.Errorf("the polls see the stamps %v, want %v", dev.seen, want)
	}
	if n := l.Stamps(0, make([]int64, 2)); n != 0 {
		t.Errorf("after the run there are %d stamps", n)
	}
}

// looking is a device that looks at the stamps of its loop in each poll.
type looking struct {
	*fake
	loop verbs.TurnLoop
	seen [][]int64
}

func (k *looking) PollCQ(cq verbs.Handle, wc []verbs.WC) (int, error) {
	at := make([]int64, 3)
	k.seen = append(k.seen, at[:k.loop.Stamps(0, at)])
	return k.fake.PollCQ(cq, wc)
}
