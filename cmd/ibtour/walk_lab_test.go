//go:build lab

package main

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// pause is longer than the ACK timeout of the connection, 67 ms: while it
// lasts, only the device can keep the peer content.
const pause = 4 * 67 * time.Millisecond

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
	enter, keys := io.Pipe()
	answers := make(chan struct{}, 1000)
	go func() {
		for range answers {
			<-time.After(pause)
			if _, err := io.WriteString(keys, "\n"); err != nil {
				return
			}
		}
		keys.Close()
	}()
	return startWith(t, enter, &prompts{on: func(int) { answers <- struct{}{} }},
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
			assertWalked(t, walk, 32+2*len(e)+len(e))
		})
		t.Run("server"+strings.Join(e, ""), func(t *testing.T) {
			walk := walkPaused(t, append(e, "--server")...)
			listening(t, 18515)
			client := start(t, stock, append([]string{"10.0.0.1"}, s.args()...)...)
			walk.succeed(t)
			client.succeed(t)
			assertWalked(t, walk, 32+2*len(e)+len(e))
		})
	}
	nothingLeft(t)
}

// assertWalked asserts that a walk stopped often enough to have stopped
// everywhere, and got to its end.
func assertWalked(t *testing.T, p *proc, least int) {
	t.Helper()
	if n := strings.Count(p.errText(), promptText); n < least {
		t.Errorf("%v paused %d times, want at least %d", p.Args, n, least)
	}
	if !strings.Contains(p.out.String(), "== done: every object is destroyed ==") {
		t.Errorf("%v did not get to its end:\n%s", p.Args, p.out.String())
	}
}
