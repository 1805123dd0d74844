package exchange

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ibtour/verbs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The wire example of facts about ibv_rc_pingpong, and its peer.
var (
	ours = Address{LID: 0, QPN: 0x11, PSN: 0xabc123, GID: verbs.GIDOf(netip.MustParseAddr("192.0.2.1"))}
	his  = Address{LID: 7, QPN: 0xfffffe, PSN: 0, GID: verbs.GIDOf(netip.MustParseAddr("fe80::1"))}
)

const goldenRecord = "0000:000011:abc123:00000000000000000000ffffc0000201\x00"

// soon is a Limit for peers that are silent on purpose.
const soon = 20 * time.Millisecond

// listen opens a server on a free port that the test closes.
func listen(t *testing.T, cfg Config) (*Server, int) {
	t.Helper()
	s, err := cfg.Listen(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, int(s.LocalAddr().Port())
}

// rawClient connects to a server without any of this package.
func rawClient(t *testing.T, host string, s *Server) *net.TCPConn {
	t.Helper()
	n, err := net.Dial("tcp", netip.AddrPortFrom(netip.MustParseAddr(host), s.LocalAddr().Port()).String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n.(*net.TCPConn)
}

// rawServer accepts one connection on a loopback port and runs serve on it.
// The returned channel is closed when serve has returned.
func rawServer(t *testing.T, serve func(*net.TCPConn)) (port int, served <-chan struct{}) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		n, err := ln.Accept()
		if err != nil {
			return
		}
		defer n.Close()
		serve(n.(*net.TCPConn))
	}()
	t.Cleanup(func() { _ = ln.Close(); <-done })
	return ln.Addr().(*net.TCPAddr).Port, done
}

// peerError fails the test unless err is a PeerError of that phase and guess.
func peerError(t *testing.T, err error, ph Phase, l Likely) *PeerError {
	t.Helper()
	var pe *PeerError
	if !errors.As(err, &pe) {
		t.Fatalf("err = %v, want a PeerError", err)
	}
	if pe.Phase != ph || pe.Likely != l {
		t.Fatalf("err = %v\n  phase %v, likely %v; want phase %v, likely %v", err, pe.Phase, pe.Likely, ph, l)
	}
	return pe
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// openFDs counts the descriptors of this process.
func openFDs(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("descriptors are counted in /proc/self/fd, which only Linux has")
	}
	e, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	return len(e)
}

func ended(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
