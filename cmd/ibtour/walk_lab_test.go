//go:build lab

package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"ibtour/steps"
)

// pause is longer than the ACK timeout of the connection, 67 ms: while it
// lasts, only the device can keep the peer content.
const pause = 2 * 67 * time.Millisecond

const promptText = "[q] quit "

// prompts is the standard error of a walk: it calls back at each prompt.
type prompts struct {
	mu   sync.Mutex
	text bytes.Buffer
	seen int
	on   func(n int) // called with 1, 2, …
}

func (p *prompts) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text.Write(b)
	for n := strings.Count(p.text.String(), promptText); p.seen < n; {
		p.seen++
		p.on(p.seen)
	}
	return len(b), nil
}

// walkPaused runs a walk that waits at every step and is let on after a pause
// each time.
func walkPaused(t *testing.T, args ...string) *proc {
	t.Helper()
	stdin, keys := pipe(t)
	enter := func() { _, _ = keys.WriteString("\n") } // fails only after the walk has ended
	return startWith(t, stdin, &prompts{on: func(int) { time.AfterFunc(pause, enter) }},
		ibtour, append([]string{"walk", "--pause", "always", "-n", "3"}, args...)...)
}

func TestWalkPausedAtEveryStepAgainstTheOriginal(t *testing.T) {
	v4, _ := gids(t)
	s := shape{size: 4096, iters: 3, depth: 500, gid: v4}
	for _, events := range []bool{false, true} {
		s.events = events
		var e []string
		if events {
			e = []string{"-e"}
		}
		t.Run("client"+strings.Join(e, ""), func(t *testing.T) {
			server := start(t, stock, s.args()...)
			listening(t, 18515)
			walk := walkPaused(t, append(e, "10.0.0.1")...)
			walk.succeed(t)
			server.succeed(t)
			assertWalked(t, walk, steps.Client, events)
		})
		t.Run("server"+strings.Join(e, ""), func(t *testing.T) {
			walk := walkPaused(t, append(e, "--server")...)
			listening(t, 18515)
			client := start(t, stock, append([]string{"10.0.0.1"}, s.args()...)...)
			walk.succeed(t)
			client.succeed(t)
			assertWalked(t, walk, steps.Server, events)
		})
	}
	nothingLeft(t)
}

// assertWalked asserts that a walk stopped at every step that makes a call, and
// got to its end.
func assertWalked(t *testing.T, p *proc, r steps.Role, events bool) {
	t.Helper()
	opts := steps.Options{Walk: true, Events: events}
	want := 0
	for _, s := range steps.RCPingPong.Stops(&opts, []*steps.End{steps.NewEnd(r, &opts, nil)}) {
		if s.Step.ID != "repost_recv" { // with 500 receives it has nothing to do
			want++
		}
	}
	if n := strings.Count(p.errText(), promptText); n != want {
		t.Errorf("%v paused %d times, want %d", p.Args, n, want)
	}
	if !strings.Contains(p.out.String(), "== done: every object is destroyed ==") {
		t.Errorf("%v did not get to its end:\n%s", p.Args, p.out.String())
	}
	// The kernel's counts, as the texts point at them: made, and destroyed.
	for _, look := range []string{
		"count of domains: 1.", "queue pairs, now 0 long", "count of domains: 0.", "count of contexts: 0.", "bytes of this process: 0.",
	} {
		if n := strings.Count(p.out.String(), look); n != 1 {
			t.Errorf("%v says %d times %q:\n%s", p.Args, n, look, p.out.String())
		}
	}
}
