package tui

import (
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

// recorded runs the tour on soft0 and returns its model, the cursor at the
// end. tamper changes the device.
func recorded(t testing.TB, lang string, tamper func(*softroce.Options)) *model {
	t.Helper()
	if tt, ok := t.(*testing.T); ok {
		cryptotest.SetGlobalRandom(tt, 7)
	}
	m := testModel(t, lang)
	m.opts.TCPPort = freePort(t)
	m.opts.Host = "127.0.0.1"
	r := &steps.Runner{Tour: m.cfg.Tour, Opts: &m.opts, Roles: m.roles, Observe: true}
	o := softroce.Options{Addr: netip.MustParseAddr("127.0.0.1"), Trace: r.Packet}
	if tamper != nil {
		tamper(&o)
	}
	r.Driver = softroce.New(o)
	m.opts.Device = "soft0"
	var mu sync.Mutex
	var events []steps.Event
	r.Sink = func(ev steps.Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, ev)
	}
	_ = r.Run(t.Context()) // the events carry the error
	m.device = Device{Name: "soft0", Soft: true}
	m.run, m.hist, m.screen = newSession(t.Context(), r, m.send), newHistory(r.Stops()), screenTour
	for i := range events {
		if equalise(&events[i]) {
			m.hist.add(&events[i])
		}
	}
	m.breaks, m.pick = map[int]bool{}, -1
	m.cursor, m.goal = len(m.hist.moments)-1, moment{len(m.hist.visits), true}
	return m
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
		if c.Name == "process.pinned_bytes" {
			c.From, c.To = "0", "8192"
		}
	}
	if f := ev.Figures; f != nil {
		f.Iters, f.Elapsed = 49, 1234567*time.Nanosecond
		f.RoundTrip = steps.RoundTrip{Min: 12100, Median: 24900, P99: 61200, P999: 753000, Max: 1201000}
	}
	if p := ev.Reached; p != nil {
		p.RoundTrip = steps.RoundTrip{Min: 12100, Median: 24900, P99: 61200, P999: 753000, Max: 1201000}
	}
	return ev.Kind != steps.PacketSeen || ev.Seq < 1<<30
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
	s.Process = &kernel.Process{PID: 4711, Pinned: 8192, MemlockSoft: 8 << 20, MemlockHard: 8 << 20}
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
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// goTo puts the cursor after, or before, the first step of that name.
func (m *model) goTo(t testing.TB, name string, after bool) {
	t.Helper()
	for _, s := range m.run.runner.Stops() {
		if s.Name() == name {
			m.move(m.hist.latest(moment{s.Index, after}))
			m.follow = false
			return
		}
	}
	t.Fatalf("no step %s", name)
}
