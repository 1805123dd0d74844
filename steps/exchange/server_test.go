package exchange

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

// Whatever else comes to the port, the server waits for its client.
func TestServerForgetsStrays(t *testing.T) {
	var strays []Likely
	s, _ := listen(t, Config{OnStray: func(e *PeerError) { strays = append(strays, e.Likely) }})
	sayAndClose("")(rawClient(t, "127.0.0.1", s))
	say("GET / HTTP/1.0\r\n\r\n")(rawClient(t, "127.0.0.1", s))
	say("6.06\x00\x00\x00")(rawClient(t, "::1", s))
	say(goldenRecord + done)(rawClient(t, "::1", s))
	a, err := serve(t, s, his)
	if err != nil || a != ours {
		t.Fatal(a, err)
	}
	if len(strays) != 3 || strays[0] != ClientGone || strays[1] != HTTP || strays[2] != Perftest {
		t.Errorf("strays %v", strays)
	}
	if !s.RemoteAddr().Addr().Is6() {
		t.Errorf("remote %v", s.RemoteAddr())
	}
}

// Silence is no reason to forget a client: it may be paused.
func TestServerKeepsSilentClient(t *testing.T) {
	s, _ := listen(t, Config{
		Patience: Patience{Limit: soon}, OnStray: func(e *PeerError) { t.Errorf("stray: %v", e) },
	})
	n := rawClient(t, "127.0.0.1", s)
	must(t, s.Accept(t.Context()))
	_, err := s.ReadAddress(t.Context())
	peerError(t, err, ReadingAddress, PeerSilent)
	say(goldenRecord)(n)
	if _, err := s.ReadAddress(t.Context()); err != nil {
		t.Error(err)
	}
}

// The caller may do itself what OnStray does.
func TestAcceptAfterFailure(t *testing.T) {
	s, _ := listen(t, Config{})
	say("nonsense")(rawClient(t, "127.0.0.1", s))
	_, err := serve(t, s, his)
	peerError(t, err, ReadingAddress, OtherProgram)
	say(goldenRecord + done)(rawClient(t, "127.0.0.1", s))
	if _, err := serve(t, s, his); err != nil {
		t.Error(err)
	}
}

func TestPortInUse(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "0.0.0.0:0", "[::]:0", "[::1]:0"} {
		other, err := net.Listen("tcp", addr)
		must(t, err)
		_, err = Config{}.Listen(t.Context(), other.Addr().(*net.TCPAddr).Port)
		peerError(t, err, Listening, PortInUse)
		if !strings.Contains(err.Error(), "EADDRINUSE") {
			t.Error(err)
		}
		must(t, other.Close())
	}
	for _, port := range []int{-1, 65536} {
		if _, err := (Config{}).Listen(t.Context(), port); err == nil {
			t.Errorf("port %d was opened", port)
		}
	}
}

// A server that ends may be started again at once.
func TestPortIsFreeAgain(t *testing.T) {
	s, port := listen(t, Config{})
	say(goldenRecord + done)(rawClient(t, "127.0.0.1", s))
	_, err := serve(t, s, his)
	must(t, err)
	must(t, s.Close()) // this end closes first: TIME_WAIT
	again, err := Config{}.Listen(t.Context(), port)
	must(t, err)
	must(t, again.Close())
}

func TestNotConnectedYet(t *testing.T) {
	s, _ := listen(t, Config{})
	_, err := s.ReadAddress(t.Context())
	for _, err := range []error{err, s.SendAddress(t.Context(), ours), s.ReadDone(t.Context())} {
		if !errors.Is(err, ErrNotConnected) {
			t.Error(err)
		}
	}
	if s.RemoteAddr().IsValid() || s.FD() != -1 {
		t.Errorf("%v, fd %d", s.RemoteAddr(), s.FD())
	}
}

// Each call that waits ends with its context, and works again afterwards.
func TestEndOfContextEndsEachCall(t *testing.T) {
	cancelled := func(name string, call func(context.Context) error) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(soon/4, cancel) // usually while the call waits
		defer timer.Stop()
		for _, ctx := range []context.Context{ctx, ended(t)} {
			if err := call(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := (Config{}).Dial(ended(t), "127.0.0.1", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Dial: %v", err)
	}
	s, port := listen(t, Config{})
	cancelled("Accept", s.Accept)
	c, err := Config{}.Dial(t.Context(), "127.0.0.1", port)
	must(t, err)
	defer c.Close()
	must(t, s.Accept(t.Context()))
	cancelled("server ReadAddress", func(ctx context.Context) error { _, err := s.ReadAddress(ctx); return err })
	cancelled("client ReadAddress", func(ctx context.Context) error { _, err := c.ReadAddress(ctx); return err })
	cancelled("ReadDone", s.ReadDone)
	must(t, c.SendAddress(t.Context(), ours))
	_, err = s.ReadAddress(t.Context())
	must(t, err)
	must(t, s.SendAddress(t.Context(), his))
	_, err = c.ReadAddress(t.Context())
	must(t, err)
	must(t, c.SendDone(t.Context()))
	must(t, s.ReadDone(t.Context()))
}

// Close from elsewhere ends a call that waits.
func TestCloseEndsWaiting(t *testing.T) {
	s, _ := listen(t, Config{Patience: Patience{Every: time.Millisecond}})
	time.AfterFunc(soon/4, func() { _ = s.Close() })
	if err := s.Accept(t.Context()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept: %v", err)
	}
	s, _ = listen(t, Config{})
	rawClient(t, "127.0.0.1", s)
	must(t, s.Accept(t.Context()))
	time.AfterFunc(soon/4, func() { _ = s.Close() })
	if _, err := s.ReadAddress(t.Context()); !errors.Is(err, net.ErrClosed) {
		t.Errorf("ReadAddress: %v", err)
	}
}

func TestAcceptGivesNotices(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var text string
	s, _ := listen(t, Config{Patience: Patience{
		Limit: time.Nanosecond, Every: time.Millisecond,
		Notice: func(w Waiting) { text = w.Text(); cancel() },
	}})
	if err := s.Accept(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !strings.HasPrefix(text, "no client has connected for ") {
		t.Errorf("notice %q", text)
	}
}
