package exchange

import (
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"ibtour/verbs/trace"
)

// piped returns a connection of this package and the other end of it. Time in
// it is that of the test bubble.
func piped(t *testing.T, cfg Config, r role) (*conn, net.Conn) {
	t.Helper()
	a, b := net.Pipe()
	t.Cleanup(func() { _, _ = a.Close(), b.Close() })
	return newConn(cfg, r, a), b
}

func TestSilentPeerIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var notices []time.Duration
		c, peer := piped(t, Config{Patience: Patience{Limit: 12 * time.Second, Notice: func(w Waiting) {
			notices = append(notices, w.Waited)
		}}}, client)
		start := time.Now()
		_, err := c.readAddress(t.Context())
		pe := peerError(t, err, ReadingAddress, PeerSilent)
		if time.Since(start) != 12*time.Second || pe.Waited != 12*time.Second || !errors.Is(err, ErrSilent) {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		if len(notices) != 2 || notices[0] != DefaultEvery || notices[1] != 2*DefaultEvery {
			t.Errorf("notices %v", notices)
		}
		go peer.Write([]byte(goldenRecord)) //nolint:errcheck // the reader checks
		if a, err := c.readAddress(t.Context()); err != nil || a != ours {
			t.Errorf("a second call: %v, %v", a, err)
		}
	})
}

// What has come before the wait was given up counts in the next call.
func TestStuckPeerGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := piped(t, Config{Patience: Patience{Limit: time.Second}}, server)
		go peer.Write([]byte(goldenRecord[:20])) //nolint:errcheck // the reader checks
		_, err := c.readAddress(t.Context())
		if pe := peerError(t, err, ReadingAddress, PeerStuck); string(pe.Got) != goldenRecord[:20] {
			t.Errorf("got %q", pe.Got)
		}
		go peer.Write([]byte(goldenRecord[20:])) //nolint:errcheck // the reader checks
		if a, err := c.readAddress(t.Context()); err != nil || a != ours {
			t.Errorf("%v, %v", a, err)
		}
	})
}

// Drops of one byte do not extend the limit.
func TestLimitCountsTheWholeMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := piped(t, Config{Patience: Patience{Limit: 10 * time.Second}}, server)
		go func() {
			for i := range RecordLen {
				time.Sleep(time.Second)
				if _, err := peer.Write([]byte(goldenRecord[i : i+1])); err != nil {
					return
				}
			}
		}()
		start := time.Now()
		_, err := c.readAddress(t.Context())
		peerError(t, err, ReadingAddress, PeerStuck)
		if d := time.Since(start); d != 10*time.Second {
			t.Errorf("after %v", d)
		}
		_ = c.close()
		time.Sleep(time.Second) // the writer finds out; a bubble must end empty
	})
}

// A paused peer is waited for without end, and a person is told.
func TestPatienceWithoutLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last Waiting
		n := 0
		c, peer := piped(t, Config{Patience: Patience{Every: time.Minute, Notice: func(w Waiting) { last, n = w, n+1 }}}, server)
		go func() {
			time.Sleep(24*time.Hour + time.Second)
			_, _ = peer.Write([]byte(goldenRecord))
		}()
		a, err := c.readAddress(t.Context())
		if err != nil || a != ours {
			t.Fatal(a, err)
		}
		if n != 24*60 || last.Waited != 24*time.Hour || last.Phase != ReadingAddress {
			t.Errorf("%d notices, last %+v", n, last)
		}
		if want := "pipe is connected but has not sent its address for 24h0m0s: it may be paused or stopped"; last.Text() != want {
			t.Error(last.Text())
		}
	})
}

// pauser holds every call, as a learner does.
type pauser struct{ d time.Duration }

func (p pauser) Enter(*trace.Call) error { time.Sleep(p.d); return nil }
func (pauser) Leave(*trace.Call)         {}
func (pauser) Emit(trace.Event)          {}

func TestPausingTripsNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := Config{Timeout: time.Second, Patience: Patience{Limit: time.Second}, Tracer: pauser{time.Hour}}
		c, peer := piped(t, cfg, server)
		go func() {
			_, _ = peer.Write([]byte(goldenRecord))
			buf := make([]byte, RecordLen)
			_, _ = peer.Read(buf)
			_, _ = peer.Write([]byte(done))
		}()
		a, err := c.readAddress(t.Context())
		if err != nil || a != ours {
			t.Fatal(a, err)
		}
		time.Sleep(time.Hour) // between calls too
		must(t, c.sendAddress(t.Context(), his))
		time.Sleep(time.Hour)
		must(t, c.readDone(t.Context()))
		must(t, c.close())
	})
}

func TestEndOfContextEndsReadAndWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer := piped(t, Config{}, client)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := c.readAddress(ctx)
		peerError(t, err, ReadingAddress, Unknown)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := c.sendAddress(ended(t), ours); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		// No deadline of the ended context is left behind.
		go peer.Write([]byte(goldenRecord)) //nolint:errcheck // the reader checks
		if _, err := c.readAddress(t.Context()); err != nil {
			t.Error(err)
		}
		// Nobody reads a pipe: the write runs into Timeout.
		peerError(t, c.sendAddress(t.Context(), ours), SendingAddress, PeerVanished)
	})
}
