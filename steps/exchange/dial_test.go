package exchange

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
)

// closedPort returns a port nobody listens on.
func closedPort(t *testing.T) int {
	t.Helper()
	s, port := listen(t, Config{})
	must(t, s.Close())
	return port
}

func TestDialNoServer(t *testing.T) {
	port := closedPort(t)
	for _, host := range []string{"127.0.0.1", "::1", "localhost"} {
		_, err := Config{}.Dial(t.Context(), host, port)
		peerError(t, err, Dialing, NoServer)
		if !errors.Is(err, syscall.ECONNREFUSED) || !strings.Contains(err.Error(), "start the server first") {
			t.Error(err)
		}
	}
}

func TestDialBadNames(t *testing.T) {
	_, err := Config{}.Dial(t.Context(), "", Port)
	peerError(t, err, Resolving, HostUnknown)
	_, err = Config{}.Dial(t.Context(), "no such host", Port)
	peerError(t, err, Resolving, HostUnknown)
	for _, port := range []int{0, -1, 65536} {
		if _, err := (Config{}).Dial(t.Context(), "127.0.0.1", port); err == nil || !strings.Contains(err.Error(), "does not exist") {
			t.Errorf("port %d: %v", port, err)
		}
	}
}

func TestResolve(t *testing.T) {
	c := Config{}
	for host, want := range map[string]string{
		"fe80::1%eth0":     "[fe80::1%eth0]:18515",
		"[fe80::1%eth0]":   "[fe80::1%eth0]:18515",
		"[2001:db8::1]":    "[2001:db8::1]:18515",
		"::ffff:192.0.2.1": "192.0.2.1:18515",
	} {
		addrs, err := c.resolve(t.Context(), host, Port)
		if err != nil || len(addrs) != 1 || addrs[0] != netip.MustParseAddrPort(want) {
			t.Errorf("%s: %v, %v", host, addrs, err)
		}
	}
}

func TestLookupFailures(t *testing.T) {
	for _, tt := range []struct {
		dns  net.DNSError
		want Likely
	}{
		{net.DNSError{Err: "no such host", IsNotFound: true}, HostUnknown},
		{net.DNSError{Err: "i/o timeout", IsTimeout: true}, NameServerSilent},
		{net.DNSError{Err: "server misbehaving", IsTemporary: true}, NameServerSilent},
	} {
		peerError(t, (&Config{}).lookupFailed(t.Context(), "h", &tt.dns), Resolving, tt.want)
	}
}

// The most telling of several addresses is what the error is about.
func TestAttempts(t *testing.T) {
	v4, v6 := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("fe80::1")
	refused := &attempt{v4, bare(&net.OpError{Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)})}
	noRoute := &attempt{v6, bare(syscall.EHOSTUNREACH)}
	late := &attempt{v4, bare(timeoutOf(&net.OpError{Err: os.ErrDeadlineExceeded}))}
	noZone := &attempt{v6, bare(syscall.EINVAL)}
	odd := &attempt{v4, bare(syscall.EINVAL)}
	for _, tt := range []struct {
		as   attempts
		want Likely
	}{
		{attempts{refused}, NoServer},
		{attempts{noRoute, late, refused}, NoServer},
		{attempts{noRoute, late}, ConnectTimedOut},
		{attempts{noRoute, noZone}, ZoneMissing},
		{attempts{odd, noRoute}, Unreachable},
		{attempts{odd}, Unknown},
	} {
		if got := tt.as.likely(); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.as, got, tt.want)
		}
	}
	err := error(&PeerError{Phase: Dialing, Peer: "h port 1", Err: attempts{noRoute, refused}})
	if !errors.Is(err, syscall.ECONNREFUSED) || !errors.Is(err, syscall.EHOSTUNREACH) {
		t.Error("errno is lost")
	}
	if want := "connecting to h port 1: fe80::1: EHOSTUNREACH (no route to host), 192.0.2.1: ECONNREFUSED (connection refused)"; err.Error() != want {
		t.Error(err)
	}
}
