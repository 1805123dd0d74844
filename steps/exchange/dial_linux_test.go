package exchange

import (
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A listener with a full queue ignores further connects, as a firewall does.
func TestDialTimesOut(t *testing.T) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	must(t, err)
	defer syscall.Close(fd) //nolint:errcheck // end of the test
	must(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	must(t, syscall.Listen(fd, 0))
	sa, err := syscall.Getsockname(fd)
	must(t, err)
	port := sa.(*syscall.SockaddrInet4).Port
	cfg := Config{Timeout: 50 * time.Millisecond}
	for range 10 {
		c, err := cfg.Dial(t.Context(), "127.0.0.1", port)
		if err != nil {
			peerError(t, err, Dialing, ConnectTimedOut)
			return
		}
		defer c.Close()
	}
	t.Error("the queue did not fill up")
}

func TestDialBadZone(t *testing.T) {
	for _, host := range []string{"fe80::1", "fe80::1%nosuchif0"} {
		_, err := Config{Timeout: time.Second}.Dial(t.Context(), host, Port)
		peerError(t, err, Dialing, ZoneMissing)
	}
}

// This host's own link-local address is reached without leaving it.
func TestZone(t *testing.T) {
	ifs, err := net.Interfaces()
	must(t, err)
	s, port := listen(t, Config{})
	for _, i := range ifs {
		addrs, err := i.Addrs()
		must(t, err)
		for _, a := range addrs {
			ip, _, _ := net.ParseCIDR(a.String())
			if !ip.IsLinkLocalUnicast() || ip.To4() != nil || i.Flags&net.FlagUp == 0 {
				continue
			}
			c, err := Config{}.Dial(t.Context(), ip.String()+"%"+i.Name, port)
			must(t, err)
			defer c.Close()
			must(t, s.Accept(t.Context()))
			if z := s.RemoteAddr().Addr().Zone(); z != i.Name || !strings.HasPrefix(c.conn.peer(), "[fe80::") {
				t.Errorf("zone %q, peer %s", z, c.conn.peer())
			}
			return
		}
	}
	t.Log("NOT TESTED: no interface of this host has a link-local address")
}
