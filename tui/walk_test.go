package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ibtour/steps"
	"ibtour/verbs/softroce"
)

// driver runs a model without a terminal: messages are handled one by one, as
// bubbletea does it.
type driver struct {
	t    *testing.T
	m    *model
	msgs chan tea.Msg
	quit bool
}

func newDriver(t *testing.T, lang string, tamper func(*Config), o softroce.Options) *driver {
	t.Helper()
	opts := testOptions()
	opts.TCPPort = freePort(t)
	cfg := Config{Opts: opts, Lang: lang, Theme: Dark, SkipStart: true, Devices: devices(o)}
	if tamper != nil {
		tamper(&cfg)
	}
	ctx, cancel := context.WithCancel(t.Context())
	m, err := newModel(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{t: t, m: m, msgs: make(chan tea.Msg, 16)}
	m.send = func(msg tea.Msg) {
		select {
		case d.msgs <- msg:
		case <-ctx.Done():
		}
	}
	t.Cleanup(func() {
		cancel()
		m.close()
	})
	m.w, m.h = 120, 40
	d.run(m.Init())
	return d
}

// run executes a command and handles its message.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	d.handle(cmd())
}

func (d *driver) handle(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		d.quit = true
		return
	}
	_, cmd := d.m.Update(msg)
	d.run(cmd)
}

// until handles messages until the model is as wanted.
func (d *driver) until(what string, ok func() bool) {
	d.t.Helper()
	timeout := time.After(2 * time.Minute)
	for !ok() {
		select {
		case msg := <-d.msgs:
			d.handle(msg)
		case <-timeout:
			d.t.Fatalf("waited in vain for %s; the screen is\n%s", what, screenOf(d.t, d.m))
		}
	}
}

// ended reports that the run is over and that last was its last moment. The end
// comes a moment after the last result.
func (d *driver) ended(last moment) bool {
	return d.m.hist.over && d.m.cursor == len(d.m.hist.moments)-1 && d.m.current() == last
}

func (d *driver) press(keys ...string) {
	for _, k := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
		if k == "space" {
			msg = tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
		}
		for _, t := range []tea.KeyType{
			tea.KeyEnter, tea.KeyLeft, tea.KeyRight, tea.KeyUp, tea.KeyDown, tea.KeyEsc, tea.KeyTab, tea.KeyCtrlC,
		} {
			if named := (tea.KeyMsg{Type: t}); named.String() == k {
				msg = named
			}
		}
		d.handle(msg)
	}
}

// arrive waits until the run stands before a call of the step shown.
func (d *driver) arrive(m moment) {
	d.t.Helper()
	d.until("a moment", func() bool { return d.m.cursor >= 0 && d.m.current() == m && (d.m.held || d.m.hist.over || m.after) })
}

// TestWalk walks from the first step to the last, one key at a time, and looks
// at both moments of each.
func TestWalk(t *testing.T) {
	d := newDriver(t, "en", nil, softroce.Options{})
	last := moment{stop: -1, after: true}
	for !d.m.hist.over || d.m.cursor < len(d.m.hist.moments)-1 {
		d.until("the next moment", func() bool {
			return d.ended(last) || d.m.cursor >= 0 && last.before(d.m.current()) && (d.m.held || d.m.current().after || d.m.hist.over)
		})
		if d.ended(last) {
			break
		}
		last = d.m.current()
		v := &d.m.hist.visits[last.stop]
		if screen := screenOf(t, d.m); !strings.Contains(screen, d.m.look().pageTitle()) {
			t.Fatalf("%s: its title is not on the screen:\n%s", v.id, screen)
		}
		if !last.after && v.done && d.m.cursor == len(d.m.hist.moments)-1 {
			t.Fatalf("%s was executed before it was asked for", v.id)
		}
		d.press("space")
	}
	d.until("the end", func() bool { return d.m.hist.over })
	if d.m.hist.err != nil {
		t.Fatal(d.m.hist.err)
	}
	if n, want := len(d.m.hist.moments), 2*len(d.m.hist.visits); n != want {
		t.Errorf("%d moments were recorded, want %d", n, want)
	}
	d.press("q")
	if !d.quit {
		t.Error("q does not leave when the run is over")
	}
}

// TestStepWithoutCall goes to a step that turns out to make no call: there is
// nothing to hold the run at, so its result is shown, as one that is new. Going
// back and forth is reading back until it is shown again.
func TestStepWithoutCall(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		d := newDriver(t, lang, func(c *Config) { c.At = "server/repost_recv" }, softroce.Options{})
		shows := func(what, want string) {
			t.Helper()
			header, _, _ := strings.Cut(screenOf(t, d.m), "\n")
			if !strings.Contains(header, want) {
				t.Errorf("%s: %s the header is %q, want %q", lang, what, header, want)
			}
		}
		d.until("the step and the run in front of the next one", func() bool {
			return d.m.held && d.m.cursor >= 0 && d.m.look().visit.id == "repost_recv" && d.m.current().after
		})
		if v := d.m.look().visit; len(v.calls) > 0 {
			t.Fatalf("%s makes %d calls: another step is needed for this", v.id, len(v.calls))
		}
		shows("after the step", d.m.text.after)
		d.press("left")
		shows("one moment back", d.m.text.reread)
		d.press("right")
		shows("and forward again", d.m.text.after)
		d.press("space")
		d.until("the next step", func() bool { return d.m.held && d.m.look().visit.id != "repost_recv" })
		shows("before the next step", d.m.text.before)
	}
}

// TestStatusOnTheWay has a run that waits already, while the events of its way
// have not all come: the step shown is not the one it waits at.
func TestStatusOnTheWay(t *testing.T) {
	d := newDriver(t, "en", func(c *Config) { c.At = "server/alloc_pd" }, softroce.Options{})
	d.until("the step", func() bool { return d.m.held && d.m.cursor >= 0 && d.m.look().visit.id == "alloc_pd" })
	at := d.m.current().stop
	for to, want := range map[int]string{at: english.before, at + 1: english.running} {
		d.m.goal, d.m.heldAt = moment{stop: to, after: false}, place{to, 1}
		if s := screenOf(t, d.m); !strings.Contains(s, want) {
			t.Errorf("at step %d, with the run at %d, the screen does not say %q:\n%s", at, to, want, s)
		}
	}
}

// TestFailedBeforeItsCall has a step that fails without a call: the tour shows
// the failure, not a step that is about to happen.
func TestFailedBeforeItsCall(t *testing.T) {
	tour := steps.RCPingPong
	tour.Steps = slices.Clone(tour.Steps)
	i := slices.IndexFunc(tour.Steps, func(s steps.Step) bool { return s.ID == "alloc_pd" })
	tour.Steps[i].Do = func(context.Context, *steps.End) error { return errors.New("no reason") }
	d := newDriver(t, "en", func(c *Config) { c.Tour, c.At = &tour, "server/alloc_pd" }, softroce.Options{})
	d.until("the end of the run", func() bool { return d.m.hist.over })
	s := screenOf(t, d.m)
	if v := d.m.look().visit; v.id != "alloc_pd" || !strings.Contains(s, english.failTitle) || !strings.Contains(s, english.failed+"  ") {
		t.Errorf("the tour is at %s and shows\n%s", v.id, s)
	}
	d.press("space")
	if s := screenOf(t, d.m); !strings.Contains(s, english.reread) || strings.Contains(s, english.before) {
		t.Errorf("the tear-down, which is over, is shown as\n%s", s)
	}
}

// TestBack reads recorded moments and executes nothing.
func TestBack(t *testing.T) {
	d := newDriver(t, "en", func(c *Config) { c.At = "server/alloc_pd" }, softroce.Options{})
	d.until("the step", func() bool {
		return d.m.held && d.m.cursor >= 0 && d.m.hist.visits[d.m.current().stop].id == "alloc_pd"
	})
	at, calls := d.m.current(), len(d.m.hist.moments)
	for range 5 {
		d.press("left")
	}
	if d.m.current() == at || len(d.m.hist.moments) != calls {
		t.Fatal("going back does not read back")
	}
	if !strings.Contains(screenOf(t, d.m), english.reread) {
		t.Error("the screen does not say that it reads back")
	}
	for range 5 {
		d.press("right")
	}
	if d.m.current() != at || d.m.hist.visits[at.stop].done {
		t.Errorf("forward leads to %v and executed it: %v", d.m.current(), d.m.hist.visits[at.stop].done)
	}
	d.press("left", ".")
	if d.m.current() != at {
		t.Error("the key of the present does not lead there")
	}
}

// TestFullSpeed runs to the figures with one key and shows no rate before.
func TestFullSpeed(t *testing.T) {
	d := newDriver(t, "en", nil, softroce.Options{})
	d.until("the start", func() bool { return d.m.held })
	if strings.Contains(screenOf(t, d.m), "Mbit/s") {
		t.Error("a rate is shown before anything ran")
	}
	d.press("r")
	d.until("the figures", func() bool { return d.m.cursor >= 0 && d.m.look().visit.together && d.m.current().after })
	if s := screenOf(t, d.m); !strings.Contains(s, "Mbit/s") || !strings.Contains(s, english.roundTrip) {
		t.Errorf("no figures:\n%s", s)
	}
	d.press("e")
	d.until("the end", func() bool { return d.m.hist.over })
	if d.m.overlay != overlayDone {
		t.Error("the end is not shown")
	}
	d.press("R")
	d.until("a new run", func() bool { return !d.m.hist.over && d.m.held })
}

// TestBreakpoint stops a run on its way.
func TestBreakpoint(t *testing.T) {
	d := newDriver(t, "en", nil, softroce.Options{})
	d.until("the start", func() bool { return d.m.held })
	d.press("b")
	if d.m.flash != english.noBreak {
		t.Errorf("it says %q", d.m.flash)
	}
	d.press("0", "down", "down", "down", "b", "e")
	d.arrive(moment{stop: 3, after: false})
	d.press("e")
	d.until("the end", func() bool { return d.m.hist.over })
}

// TestQuitTearsDown leaves in the middle and sees everything destroyed.
func TestQuitTearsDown(t *testing.T) {
	d := newDriver(t, "zh", func(c *Config) { c.At = "client/qp_rts" }, softroce.Options{})
	d.until("the step", func() bool { return d.m.held && d.m.hist.at > 30 })
	d.press("q")
	d.until("the tear-down", func() bool { return d.m.hist.over })
	s := screenOf(t, d.m)
	for _, want := range []string{"ibv_destroy_qp", "ibv_dereg_mr", "ibv_close_device", chinese.quitDone} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not shown:\n%s", want, s)
		}
	}
	d.press("x")
	if !d.quit {
		t.Error("a key does not leave")
	}
}

// TestWrongKey does nothing and says so.
func TestWrongKey(t *testing.T) {
	d := newDriver(t, "en", nil, softroce.Options{})
	d.until("the start", func() bool { return d.m.held })
	for _, k := range []string{"x", "R", "O", "ü"} {
		d.press(k)
		if !strings.Contains(d.m.flash, k) || d.m.current() != (moment{stop: 0, after: false}) {
			t.Errorf("%q: it says %q and is at %v", k, d.m.flash, d.m.current())
		}
	}
}

// TestInto steps through the calls of one step.
func TestInto(t *testing.T) {
	d := newDriver(t, "en", func(c *Config) { c.At = "client/connect" }, softroce.Options{})
	d.until("the step", func() bool { return d.m.held && d.m.cursor >= 0 && d.m.look().visit.id == "connect" })
	stop := d.m.current().stop
	v := &d.m.hist.visits[stop]
	for n := 1; !v.done; n++ {
		d.press("i")
		d.until("the next call", func() bool { return v.done || d.m.held && len(v.calls) > n })
		if n > 20 {
			t.Fatal("the step does not end")
		}
	}
	if len(v.calls) < 2 {
		t.Errorf("connect made %d calls", len(v.calls))
	}
}

// TestFailedRun stays at the step that failed, and offers to run again.
func TestFailedRun(t *testing.T) {
	d := newDriver(t, "en", nil, softroce.Options{MaxPinned: -1})
	d.until("the start", func() bool { return d.m.held })
	d.press("e")
	d.until("the failure", func() bool { return d.m.hist.over })
	if v := d.m.look().visit; v.id != "reg_mr" || v.err == nil {
		t.Fatalf("the cursor is at %s", v.id)
	}
	if s := screenOf(t, d.m); !strings.Contains(s, "EPERM") {
		t.Errorf("no reason:\n%s", s)
	}
	d.press("space")
	if v := d.m.look().visit; v.phase != steps.TearDown {
		t.Errorf("the next moment is %s, not the tear-down", v.id)
	}
	d.press("O")
	if d.m.screen != screenStart {
		t.Error("the options are not offered")
	}
	d.press("enter")
	d.until("a new run", func() bool { return d.m.held && !d.m.hist.over })
}

// TestEnd tears down when the context of the program ends.
func TestEnd(t *testing.T) {
	d := newDriver(t, "en", func(c *Config) { c.At = "client/qp_rtr" }, softroce.Options{})
	d.until("the step", func() bool { return d.m.held && d.m.hist.at > 30 })
	d.handle(endMsg{})
	d.until("the end", func() bool { return d.quit })
	if !d.m.hist.over {
		t.Error("the program ended before the tear-down")
	}
}

// Where the start screen is skipped, what to know of the device is said at the
// first step.
func TestNoteOfTheDevice(t *testing.T) {
	const note = "using soft0: this kernel has no RDMA"
	d := newDriver(t, "en", func(c *Config) {
		find := c.Devices
		c.Devices = func() ([]Device, error) {
			found, err := find()
			found[0].Note = note
			return found, err
		}
	}, softroce.Options{})
	d.until("the first step", func() bool { return d.m.held })
	if s := screenOf(t, d.m); !strings.Contains(s, note) {
		t.Errorf("the screen does not say %q:\n%s", note, s)
	}
	d.press("space")
	if d.m.flash == note {
		t.Error("a key does not take the note away")
	}
}
