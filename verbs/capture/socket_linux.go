package capture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

type rawInstruction = bpf.RawInstruction

// openSocket returns a packet socket that is bound to a network device and
// filters. Before it is bound, with protocol 0, it receives nothing, so that no
// packet slips in without the filter.
func openSocket(device string) (*os.File, error) {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket AF_PACKET", err)
	}
	if err := prepare(fd, device); err != nil {
		return nil, errors.Join(fmt.Errorf("capturing on %s: %w", device, err), unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), "packet socket on "+device), nil
}

func trySocket() error {
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket AF_PACKET", err)
	}
	return unix.Close(fd)
}

func prepare(fd int, device string) error {
	ifi, err := net.InterfaceByName(device)
	if err != nil {
		return fmt.Errorf("%w: %w", unix.ENODEV, err)
	}
	// Without CAP_NET_ADMIN the limit of net.core.rmem_max holds.
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, bufferSize) != nil {
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUF, bufferSize); err != nil {
			return os.NewSyscallError("setsockopt SO_RCVBUF", err)
		}
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1); err != nil {
		return os.NewSyscallError("setsockopt SO_TIMESTAMPNS", err)
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_AUXDATA, 1); err != nil {
		return os.NewSyscallError("setsockopt PACKET_AUXDATA", err)
	}
	if err := attachFilter(fd, filter); err != nil {
		return err
	}
	// All protocols: packets that leave are shown to no other socket.
	all := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL))
	return os.NewSyscallError("bind", unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: ifi.Index}))
}

func attachFilter(fd int, program []rawInstruction) error {
	steps := make([]unix.SockFilter, len(program))
	for i, p := range program {
		steps[i] = unix.SockFilter{Code: p.Op, Jt: p.Jt, Jf: p.Jf, K: p.K}
	}
	prog := unix.SockFprog{Len: uint16(len(steps)), Filter: &steps[0]}
	return os.NewSyscallError("setsockopt SO_ATTACH_FILTER", unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &prog))
}

// oobLen has room for the time and for struct tpacket_auxdata.
const oobLen = 128

// receive takes one packet without waiting.
func receive(fd int, buf, oob []byte) (Frame, error) {
	n, oobn, _, from, err := unix.Recvmsg(fd, buf, oob, 0)
	if err != nil {
		return Frame{}, err
	}
	f := Frame{At: time.Now(), IP: buf[:n]}
	if ll, ok := from.(*unix.SockaddrLinklayer); ok {
		f.Sent = ll.Pkttype == unix.PACKET_OUTGOING
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil {
		return f, os.NewSyscallError("recvmsg", err)
	}
	for _, m := range messages {
		switch {
		case m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SO_TIMESTAMPNS:
			if at, ok := timespec(m.Data); ok {
				f.At = at
			}
		case m.Header.Level == unix.SOL_PACKET && m.Header.Type == unix.PACKET_AUXDATA && len(m.Data) >= 4:
			f.Offloaded = binary.NativeEndian.Uint32(m.Data)&unix.TP_STATUS_CSUMNOTREADY != 0
		}
	}
	return f, nil
}

// timespec reads a struct timespec, whose numbers are as long as a pointer.
func timespec(b []byte) (time.Time, bool) {
	switch len(b) {
	case 8:
		return time.Unix(int64(binary.NativeEndian.Uint32(b)), int64(binary.NativeEndian.Uint32(b[4:]))), true
	case 16:
		return time.Unix(int64(binary.NativeEndian.Uint64(b)), int64(binary.NativeEndian.Uint64(b[8:]))), true
	}
	return time.Time{}, false
}

// readStats returns the numbers since it was called last.
func readStats(fd int) (Stats, error) {
	s, err := unix.GetsockoptTpacketStats(fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err != nil {
		return Stats{}, os.NewSyscallError("getsockopt PACKET_STATISTICS", err)
	}
	return Stats{Packets: uint64(s.Packets), Dropped: uint64(s.Drops)}, nil
}
