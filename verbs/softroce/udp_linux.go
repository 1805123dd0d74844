package softroce

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// prepareSocket makes the kernel write DF and IPv4 identification 0 (together
// with a socket that is not connected) and accept IPv6 datagrams without UDP
// checksum, which is what other RoCE v2 endpoints send.
func prepareSocket(raw syscall.RawConn, v6 bool) (err error) {
	cerr := raw.Control(func(fd uintptr) {
		if !v6 {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_DO)
			return
		}
		err = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER, unix.IPV6_PMTUDISC_DO)
		if err == nil {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_UDP, unix.UDP_NO_CHECK6_RX, 1)
		}
	})
	if cerr != nil {
		return cerr
	}
	return err
}

// growBuffer asks for a large receive buffer. Only root gets more than
// net.core.rmem_max.
func growBuffer(conn *net.UDPConn) {
	_ = conn.SetReadBuffer(socketBuffer)
	if raw, err := conn.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, socketBuffer)
		})
	}
}
