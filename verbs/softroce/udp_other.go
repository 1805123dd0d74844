//go:build !linux && !darwin

package softroce

import (
	"net"
	"syscall"
)

// readiness: here nobody can look into a socket without reading it. The
// goroutine of the link reads, and a program that polls relies on it.
type readiness struct{}

func newReadiness(*net.UDPConn) (*readiness, error) { return &readiness{}, nil }

func (*readiness) now() bool  { return false }
func (*readiness) wait() bool { return true }
func (*readiness) close()     {}

// prepareSocket does nothing. Windows counts the IPv4 identification, so that
// peers which check the ICRC of IPv4 packets strictly, as the Linux rxe driver
// does, drop ours; another soft0 and IPv6 work.
func prepareSocket(syscall.RawConn, bool) error { return nil }

// unblock reads the next packet, however long that takes.
func (u *udpLink) unblock() {
	u.dev.unlock()
	n, from, err := u.conn.ReadFromUDPAddrPort(u.buf)
	u.dev.lock()
	if err == nil {
		u.handle(u.buf[:n], from)
	}
}
