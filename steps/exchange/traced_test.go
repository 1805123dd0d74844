package exchange

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"

	"ibtour/verbs/trace"
)

// recorder keeps what a pane would show.
type recorder struct {
	mu     sync.Mutex
	lines  []string
	refuse string
}

var errRefused = errors.New("refused")

func (r *recorder) Enter(c *trace.Call) error {
	if c.Op == r.refuse {
		return errRefused
	}
	return nil
}

var (
	ports = regexp.MustCompile(`(127\.0\.0\.1|\[::\]):\d+`)
	fds   = regexp.MustCompile(`(\(|fd |= )\d+\b`)
)

func (r *recorder) Leave(c *trace.Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := fmt.Sprintf("%s → %s %s", c.C(), c.Result, c.Errno)
	line = ports.ReplaceAllString(line, "$1:P")
	r.lines = append(r.lines, strings.TrimSpace(fds.ReplaceAllString(line, "${1}N")))
}

func (*recorder) Emit(trace.Event) {}

func TestTrace(t *testing.T) {
	sr, cr := &recorder{}, &recorder{}
	s, port := listen(t, Config{Tracer: sr})
	c, err := Config{Tracer: cr}.Dial(t.Context(), "127.0.0.1", port)
	must(t, err)
	must(t, c.SendAddress(t.Context(), ours))
	must(t, s.Accept(t.Context()))
	_, err = s.ReadAddress(t.Context())
	must(t, err)
	must(t, s.SendAddress(t.Context(), his))
	_, err = c.ReadAddress(t.Context())
	must(t, err)
	must(t, c.SendDone(t.Context()))
	must(t, s.ReadDone(t.Context()))
	must(t, errors.Join(c.Close(), s.Close()))
	sent, answer := strings.TrimSuffix(goldenRecord, "\x00"), his.String()
	compare(t, cr.lines,
		`connect(sock, "127.0.0.1:P") → 0, sock = N from 127.0.0.1:P`,
		`write(N, "`+sent+`", 52) → 52`,
		`read(N, msg, 52) → 52, msg = "`+answer+`"`,
		`write(N, "done", 5) → 5`,
		`close(N) → 0`)
	compare(t, sr.lines,
		`listen("[::]:P", SOMAXCONN) → fd N`,
		`accept(N, &addr) → N, addr = "127.0.0.1:P"`,
		`read(N, msg, 52) → 52, msg = "`+sent+`"`,
		`close(N) → 0`,
		`write(N, "`+answer+`", 52) → 52`,
		`read(N, msg, 5) → 5, msg = "done"`,
		`close(N) → 0`)
}

func compare(t *testing.T, got []string, want ...string) {
	t.Helper()
	// The name lookup and the first number of accept differ from run to run.
	var calls []string
	for _, g := range got {
		if !strings.HasPrefix(g, "getaddrinfo") {
			calls = append(calls, regexp.MustCompile(`→ \d+, addr`).ReplaceAllString(g, "→ N, addr"))
		}
	}
	if strings.Join(calls, "\n") != strings.Join(want, "\n") {
		t.Errorf("trace:\n%s\nwant:\n%s", strings.Join(calls, "\n"), strings.Join(want, "\n"))
	}
}

func TestTraceShowsErrno(t *testing.T) {
	r := &recorder{}
	_, err := Config{Tracer: r}.Dial(t.Context(), "127.0.0.1", closedPort(t))
	peerError(t, err, Dialing, NoServer)
	compare(t, r.lines, `connect(sock, "127.0.0.1:P") → -1 ECONNREFUSED (connection refused)`)
}

// A tracer that ends the run gets its own error back; sockets close all the same.
func TestTracerRefuses(t *testing.T) {
	for _, op := range []string{"getaddrinfo", "connect", "write", "read"} {
		s, port := listen(t, Config{})
		c, err := Config{Tracer: &recorder{refuse: op}}.Dial(t.Context(), "127.0.0.1", port)
		if err == nil {
			if op == "write" {
				err = c.SendAddress(t.Context(), ours)
			} else {
				_, err = c.ReadAddress(t.Context())
			}
			must(t, c.Close())
		}
		if err != errRefused { //nolint:errorlint // not even wrapped
			t.Errorf("%s: %v", op, err)
		}
		_ = s.Close()
	}
	before := openFDs(t)
	for _, op := range []string{"listen", "accept", "close"} {
		s, err := Config{Tracer: &recorder{refuse: op}}.Listen(t.Context(), 0)
		if err == nil && op == "accept" {
			err = s.Accept(t.Context())
		}
		if s != nil {
			if cerr := s.Close(); op == "close" {
				err = cerr // told, although the socket is closed all the same
			} else {
				must(t, cerr)
			}
		}
		if !errors.Is(err, errRefused) {
			t.Errorf("%s: %v", op, err)
		}
	}
	if after := openFDs(t); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}
