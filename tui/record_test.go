package tui

import (
	"context"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"time"

	"ibtour/steps"
	"ibtour/verbs/kernel"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

// A recorded run looks the same every time: chance is seeded, and what the
// machine adds (addresses, times, ports, the number of empty polls) is made
// equal.

var (
	address  = regexp.MustCompile(`0x[0-9a-f]{11,12}\b`)
	endpoint = regexp.MustCompile(`(127\.0\.0\.1|\[::1\]|localhost|\[::\]|0\.0\.0\.0):\d+`)
	fdNumber = regexp.MustCompile(`\bfd \d+`)
)

// recording is a recorded run.
type recording struct {
	runner *steps.Runner
	events []steps.Event
}

// plain is the run that nothing was tampered with, recorded once.
var plain *recording

// recorded returns the model of a run on soft0, the cursor at the end. tamper
// changes the device.
func recorded(tb testing.TB, lang string, tamper func(*softroce.Options)) *model {
	tb.Helper()
	rec := plain
	if rec == nil || tamper != nil {
		rec = record(tb, tamper, nil)
	}
	if _, seeded := tb.(*testing.T); seeded && tamper == nil {
		plain = rec
	}
	return replay(tb, lang, rec)
}

// replay returns the model of a recorded run, the cursor at the end.
func replay(tb testing.TB, lang string, rec *recording) *model {
	tb.Helper()
	m := testModel(tb, lang)
	m.device = Device{Name: "soft0", Soft: true}
	m.run, m.hist, m.screen = newSession(tb.Context(), rec.runner, m.send), newHistory(rec.runner.Stops()), screenTour
	for i := range rec.events {
		m.hist.add(&rec.events[i])
	}
	m.breaks, m.pick = map[int]bool{}, -1
	m.move(len(m.hist.moments) - 1)
	m.goal = moment{stop: len(m.hist.visits), after: true}
	return m
}

// entering is a gate that enters a stop, and leaves it in front of a call.
func entering(r *steps.Runner, stop string, leave int) steps.Gate {
	return func(ctx context.Context, m steps.Moment) error {
		switch {
		case m.Stop.Name() != stop:
		case m.Call == nil && m.Stop.Step.Together, m.Call != nil && m.Nth == 1:
			r.Enter(m.Stop.Index)
		case m.Nth == leave:
			r.Leave()
		}
		return context.Cause(ctx)
	}
}

// record runs the tour, through the gate that is made for it.
func record(tb testing.TB, tamper func(*softroce.Options), gate func(*steps.Runner) steps.Gate) *recording {
	tb.Helper()
	opts := testOptions()
	return recordWith(tb, &opts, tamper, gate)
}

// recordWith runs the tour with options, through the gate that is made for it, if any.
func recordWith(tb testing.TB, opts *steps.Options, tamper func(*softroce.Options), gate func(*steps.Runner) steps.Gate) *recording {
	tb.Helper()
	if tt, ok := tb.(*testing.T); ok {
		cryptotest.SetGlobalRandom(tt, 7)
	}
	opts.TCPPort, opts.Host, opts.Device = freePort(tb), "127.0.0.1", "soft0"
	r := &steps.Runner{Tour: &steps.RCPingPong, Opts: opts, Roles: []steps.Role{steps.Server, steps.Client}, Observe: true}
	o := softroce.Options{Addr: netip.MustParseAddr("127.0.0.1"), Trace: r.Packet}
	if tamper != nil {
		tamper(&o)
	}
	r.Driver = softroce.New(o)
	if gate != nil {
		r.Gate = gate(r)
	}
	rec := &recording{runner: r}
	var mu sync.Mutex
	r.Sink = func(ev steps.Event) {
		mu.Lock()
		defer mu.Unlock()
		rec.events = append(rec.events, ev)
	}
	_ = r.Run(tb.Context()) // the events carry the error
	// Only now: the run compares its states with each other.
	kept := rec.events[:0]
	for _, ev := range rec.events {
		if equalise(&ev) {
			kept = append(kept, ev)
		}
	}
	rec.events = kept
	return rec
}

// equalise makes an event the same in every run; it returns false for one to
// leave out.
func equalise(ev *steps.Event) bool {
	if c := ev.Call; c != nil {
		if c.Op == "ibv_poll_cq" && strings.HasPrefix(c.Result, "0") || ev.Kind == steps.CallRepeated {
			return false
		}
		c.Duration = 1230 * time.Nanosecond
		equaliseArgs(c.Args)
		c.Result, c.Repeat = same(c.Result), 1
	}
	if s := ev.State; s != nil {
		equaliseState(s)
	}
	ev.Text = same(ev.Text)
	for i := range ev.Changes {
		c := &ev.Changes[i]
		c.From, c.To = same(c.From), same(c.To)
	}
	if f := ev.Figures; f != nil {
		f.Iters, f.Elapsed = 49, 1234567*time.Nanosecond
		f.RoundTrip = steps.RoundTrip{Min: 12100, Median: 24900, P99: 61200, P999: 753000, Max: 1201000}
	}
	if p := ev.Reached; p != nil {
		if p.Done < p.Total { // how often it is told on the way is a matter of time
			return false
		}
		p.RoundTrip = steps.RoundTrip{Min: 12100, Median: 24900, P99: 61200, P999: 753000, Max: 1201000}
	}
	return true
}

func equaliseArgs(args []trace.Arg) {
	for i := range args {
		args[i].Value = same(args[i].Value)
		equaliseArgs(args[i].Fields)
	}
}

func same(s string) string {
	s = address.ReplaceAllString(s, "0x7f0000001000")
	s = endpoint.ReplaceAllString(s, "$1:18515")
	return fdNumber.ReplaceAllString(s, "fd 9")
}

func equaliseState(s *steps.Snapshot) {
	s.Process = &kernel.Process{PID: 4711, MemlockSoft: 8 << 20, MemlockHard: 8 << 20}
	for i := range s.Ends {
		if b := s.Ends[i].Buffer; b != nil {
			b.Addr = 0x7f0000001000 + uint64(i)<<16
		}
		if c := s.Ends[i].Channel; c != nil {
			c.FD = 9
		}
	}
}

// freePort returns a TCP port nobody listens on.
func freePort(tb testing.TB) int {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// goTo puts the cursor after, or before, the first step of that name.
func (m *model) goTo(tb testing.TB, name string, after bool) {
	tb.Helper()
	for _, s := range m.run.runner.Stops() {
		if s.Name() == name {
			m.move(m.hist.latest(moment{stop: s.Index, after: after}))
			m.follow = false
			return
		}
	}
	tb.Fatalf("no step %s", name)
}
