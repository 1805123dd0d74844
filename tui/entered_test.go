package tui

import (
	"fmt"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/kernel"
	"ibtour/verbs/softroce"
)

// enter walks to a step and enters it: it is held in front of its second call.
func enter(t *testing.T, stop string) *driver {
	t.Helper()
	d := newDriver(t, "en", func(c *Config) { c.At = stop }, softroce.Options{})
	d.stand(stop)
	d.press("i")
	d.call(2)
	return d
}

// stand waits until the run is held in front of a step.
func (d *driver) stand(stop string) {
	d.t.Helper()
	here := moment{stop: d.m.stopNamed(stop)}
	d.until(stop, func() bool {
		return d.m.cursor >= 0 && d.m.current() == here && d.m.held && d.m.heldAt == d.m.placeOf(here)
	})
}

// call waits until the run is held in front of a call of the entered step.
func (d *driver) call(n int) {
	d.t.Helper()
	d.until(fmt.Sprintf("call %d", n), func() bool { return d.m.held && d.m.current().call == n && d.m.heldAt.call == n })
}

// recvs is how many receives were posted by the client at the moment shown.
func (d *driver) recvs() uint64 {
	return endOf(d.m.look().now, steps.Client).QP.Queues.Recvs
}

// TestEnterRepeats goes through equal calls one by one, reads them back, and
// leaves the rest to be counted.
func TestEnterRepeats(t *testing.T) {
	d := enter(t, "client/post_recv")
	for n := 2; n < 6; n++ {
		s := screenOf(t, d.m)
		if want := fmt.Sprintf("call %d of 16", n); strings.Count(s, want) < 2 || d.recvs() != uint64(n-1) {
			t.Fatalf("%d receives are posted, and %q stands where?\n%s", d.recvs(), want, s)
		}
		if !strings.Contains(s, "client.rq.posted") {
			t.Errorf("call %d: what it changed is not shown:\n%s", n, s)
		}
		d.press([]string{"space", "i"}[n%2])
		d.call(n + 1)
	}
	stop := d.m.current().stop
	for n := 5; n >= 2; n-- {
		d.press("left")
		if c := d.m.current(); c != (moment{stop: stop, call: n}) || d.recvs() != uint64(n-1) {
			t.Fatalf("going back leads to %+v, with %d receives", c, d.recvs())
		}
	}
	d.press("left")
	if c := d.m.current(); c != (moment{stop: stop}) || d.recvs() != 0 || !strings.Contains(screenOf(t, d.m), "call 1 of 16") {
		t.Fatalf("the first is %+v, with %d receives:\n%s", c, d.recvs(), screenOf(t, d.m))
	}
	d.press("i")
	if d.m.flash != english.recordedAlready || d.m.hist.visits[stop].done {
		t.Errorf("a recorded call is entered: %q", d.m.flash)
	}
	for range 5 {
		d.press("space")
	}
	if c := d.m.current(); c.call != 6 || d.recvs() != 5 {
		t.Fatalf("forward leads to %+v and executed something: %d receives", c, d.recvs())
	}
	d.press("u")
	d.until("the end of the step", func() bool { return d.m.current() == moment{stop: stop, after: true} })
	calls := d.m.hist.visits[stop].calls
	if n := len(calls); n != 6 || calls[5].c.Repeat != 11 || d.recvs() != 16 {
		t.Errorf("%d calls are kept, the last one stands for %d; %d receives", n, calls[n-1].c.Repeat, d.recvs())
	}
	d.press("u")
	if d.m.flash != english.notEntered {
		t.Errorf("leaving what is not entered says %q", d.m.flash)
	}
	d.press("i")
	if d.m.flash != english.nothingToEnter {
		t.Errorf("entering what is done says %q", d.m.flash)
	}
}

// TestEnterEveryCall goes through a step to its end: the last call ends it.
func TestEnterEveryCall(t *testing.T) {
	d := enter(t, "server/post_recv")
	for n := 2; n < 16; n++ {
		d.press("space")
		d.call(n + 1)
	}
	stop := d.m.current().stop
	d.press("space")
	d.until("the end of the step", func() bool { return d.m.current() == moment{stop: stop, after: true} })
	if n := len(d.m.hist.visits[stop].calls); n != 16 {
		t.Errorf("%d calls are kept, want 16", n)
	}
	d.press("space")
	d.until("the next step", func() bool { return d.m.current() == moment{stop: stop + 1} })
	if d.m.entered() {
		t.Error("the next step is entered too")
	}
}

// TestEnterNothing says so at a step without a call.
func TestEnterNothing(t *testing.T) {
	d := newDriver(t, "en", func(c *Config) { c.At = "client/repost_recv" }, softroce.Options{})
	d.until("the step", func() bool {
		return d.m.cursor >= 0 && d.m.look().visit.id == "repost_recv" && d.m.look().visit.done
	})
	d.press("i")
	if d.m.flash != english.noCallToEnter {
		t.Errorf("it says %q", d.m.flash)
	}
	d.press("u")
	if d.m.flash != english.notEntered {
		t.Errorf("it says %q", d.m.flash)
	}
}

// TestEnterIterations makes two iterations by hand, call by call, and the rest
// at full speed.
func TestEnterIterations(t *testing.T) {
	d := newDriver(t, "en", func(c *Config) { c.At = "iterate" }, softroce.Options{})
	d.stand("iterate")
	if s := screenOf(t, d.m); !strings.Contains(s, "The key i goes through them call") {
		t.Errorf("nothing says that they can be entered:\n%s", s)
	}
	stop := d.m.current().stop
	v := &d.m.hist.visits[stop]
	sends := 0
	d.press("i")
	for n := 1; sends < 5; n++ {
		d.call(n)
		c := v.numbered(n)
		if !strings.Contains(screenOf(t, d.m), fmt.Sprintf("iteration %d of 50", 2+sends/2)) && c.c.Op == "ibv_post_send" {
			t.Errorf("call %d, send %d: the iteration is not named:\n%s", n, sends, screenOf(t, d.m))
		}
		if c.c.Op == "ibv_post_send" {
			if want := []steps.Role{steps.Client, steps.Server}[sends%2]; c.end != want {
				t.Errorf("send %d is the %s's", sends, c.end)
			}
			sends++
		}
		if n > 500 {
			t.Fatal("no message arrives")
		}
		if sends < 5 {
			d.press("space")
		}
	}
	last := d.m.current()
	d.press("left")
	if c := d.m.current(); c != (moment{stop: stop, call: last.call - 1}) {
		t.Errorf("going back leads to %+v", c)
	}
	d.press(".", "r")
	d.until("the figures", func() bool { return d.m.current() == moment{stop: stop, after: true} })
	if f := d.m.look().figures(); f == nil || f.Role != steps.Client || f.Iters != 50-1-3 {
		t.Errorf("figures %+v, want those of 46 round trips", f)
	}
	d.press("e")
	d.until("the end", func() bool { return d.m.hist.over })
	if d.m.hist.err != nil {
		t.Error(d.m.hist.err)
	}
}

// TestEnteredScreens has an entered step in three sizes and both languages.
func TestEnteredScreens(t *testing.T) {
	posts := record(t, nil, func(r *steps.Runner) steps.Gate { return entering(r, "client/post_recv", 0) })
	for _, lang := range []string{"en", "zh"} {
		for _, s := range sizes {
			m := replay(t, lang, posts)
			m.w, m.h = s.w, s.h
			m.goTo(t, "client/post_recv", false)
			at := m.current()
			m.move(m.hist.latest(moment{stop: at.stop, call: 4}))
			m.side = panelQueues
			var out strings.Builder
			fmt.Fprintf(&out, "=== call 4 ===\n%s\n", screenOf(t, m))
			m.show(panelCall)
			fmt.Fprintf(&out, "=== its panel ===\n%s\n", screenOf(t, m))
			m.goTo(t, "client/post_recv", true)
			fmt.Fprintf(&out, "=== all are made ===\n%s\n", screenOf(t, m))
			golden(t, fmt.Sprintf("entered_%s_%dx%d", lang, s.w, s.h), out.String())
		}
	}
}

// watchedCQ is what the lab VM showed of ibv_create_cq on rxe0.
func watchedCQ() *kernel.Seen {
	const uverbs = "/dev/infiniband/uverbs0"
	return &kernel.Seen{
		Syscalls: []kernel.Syscall{
			{Name: "ioctl", FD: 7, Path: uverbs, Request: "RDMA_VERBS_IOCTL UVERBS_OBJECT_CQ UVERBS_METHOD_CQ_CREATE"},
			{Name: "mmap", FD: 7, Path: uverbs, Size: 20480, Offset: 0x1000, Result: 0x7f0c9524b000},
		},
		Others: []kernel.Tally{{Name: "futex", N: 5}},
		Mapped: []kernel.Mapping{{Start: 0x7f0c9524b000, End: 0x7f0c95250000, Perms: "rw-s", Offset: 0x1000, Path: uverbs}},
	}
}

// TestWatchedLayers has the layers panel with what a device of the kernel
// shows, with nothing, and with the reasons for nothing.
func TestWatchedLayers(t *testing.T) {
	forbidden := &kernel.WatchError{Reason: kernel.WatchForbidden, Paranoid: "3", Text: "perf_event_open: EACCES"}
	scenes := []struct {
		name, stop string
		seen       *kernel.Seen
	}{
		{"a command", "server/create_cq", watchedCQ()},
		{"no system call", "client/post_send", &kernel.Seen{}},
		{"one write", "client/post_send", &kernel.Seen{Syscalls: []kernel.Syscall{
			{Name: "write", FD: 7, Path: "/dev/infiniband/uverbs0", Request: "IB_USER_VERBS_CMD_POST_SEND", Size: 32, Result: 32},
		}, Lost: 2}},
		{"forbidden", "server/create_cq", &kernel.Seen{Unwatched: forbidden, Mapped: watchedCQ().Mapped}},
		{"no tracefs", "server/create_cq", &kernel.Seen{Unwatched: &kernel.WatchError{Reason: kernel.WatchNoTracefs, Text: "/sys/kernel/tracing/events/raw_syscalls/sys_enter/id: ENOENT"}}},
		{"elsewhere", "server/create_cq", &kernel.Seen{Unwatched: &kernel.WatchError{Reason: kernel.WatchElsewhere, Text: "darwin/arm64"}}},
		{"not watched", "server/create_cq", nil},
		{"device closed", "server/close_device", &kernel.Seen{
			Closed: []kernel.File{{FD: 7, Target: "/dev/infiniband/uverbs0"}}, Unmapped: watchedCQ().Mapped,
		}},
	}
	sizes := []size{{80, 50}, {120, 40}, {200, 60}}
	for _, lang := range []string{"en", "zh"} {
		var out [3]strings.Builder // of each size
		for _, scene := range scenes {
			m := replay(t, lang, recordingOf(t))
			m.device = Device{Name: "rxe0"}
			m.goTo(t, scene.stop, true)
			m.look().visit.calls[0].seen = scene.seen
			m.show(panelLayers)
			m.zoom = true
			for i, s := range sizes {
				m.w, m.h = s.w, s.h
				fmt.Fprintf(&out[i], "=== %s ===\n%s\n", scene.name, screenOf(t, m))
			}
		}
		for i, s := range sizes {
			golden(t, fmt.Sprintf("layers_%s_%dx%d", lang, s.w, s.h), out[i].String())
		}
	}
}

// recordingOf returns the run that nothing was tampered with.
func recordingOf(t *testing.T) *recording {
	t.Helper()
	recorded(t, "en", nil)
	return plain
}
