package softroce

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// prepareSocket sets DF. macOS writes IPv4 identification 0 on packets that
// must not be fragmented (RFC 6864; sysctl net.inet.ip.rfc6864), as the ICRC
// needs it. It accepts no IPv6 datagrams without UDP checksum, so that a peer
// which sends these, as the Linux rxe driver does, is reached over IPv4 only.
func prepareSocket(raw syscall.RawConn, v6 bool) (err error) {
	cerr := raw.Control(func(fd uintptr) {
		if v6 {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_DONTFRAG, 1)
		} else {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_DONTFRAG, 1)
		}
	})
	if cerr != nil {
		return cerr
	}
	return err
}

// growBuffer asks for a large receive buffer.
func growBuffer(conn *net.UDPConn) { _ = conn.SetReadBuffer(socketBuffer) }
