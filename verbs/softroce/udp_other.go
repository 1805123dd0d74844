//go:build !linux && !darwin

package softroce

import (
	"net"
	"syscall"
)

// prepareSocket does nothing. Windows counts the IPv4 identification, so that
// peers which check the ICRC of IPv4 packets strictly, as the Linux rxe driver
// does, drop ours; another soft0 and IPv6 work.
func prepareSocket(syscall.RawConn, bool) error { return nil }

// growBuffer asks for a large receive buffer.
func growBuffer(conn *net.UDPConn) { _ = conn.SetReadBuffer(socketBuffer) }
