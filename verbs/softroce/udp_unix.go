//go:build linux || darwin

package softroce

import (
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// readiness tells whether a socket has a packet, without reading it: at once,
// or by waiting. The net package can only read and wait in one, which would
// keep a polling program from the socket; so a second descriptor of the same
// socket does the waiting.
type readiness struct {
	raw    syscall.RawConn
	waiter net.PacketConn
	wraw   syscall.RawConn

	queued  int // what look found
	asked   int // calls of waiting
	look    func(fd uintptr)
	waiting func(fd uintptr) bool
}

func newReadiness(conn *net.UDPConn) (*readiness, error) {
	file, err := conn.File()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readinessOf(conn, file)
}

func readinessOf(conn *net.UDPConn, file *os.File) (*readiness, error) {
	waiter, err := net.FilePacketConn(file)
	if err != nil {
		return nil, err
	}
	r := &readiness{waiter: waiter}
	if r.raw, err = conn.SyscallConn(); err != nil {
		return nil, err
	}
	if r.wraw, err = waiter.(*net.UDPConn).SyscallConn(); err != nil {
		return nil, err
	}
	// Made once: a closure made for each packet would be garbage for each.
	r.look = func(fd uintptr) { r.queued = pending(fd) }
	r.waiting = func(fd uintptr) bool {
		r.asked++
		return r.asked > 1 || pending(fd) > 0 || readable(fd)
	}
	return r, nil
}

// pending returns the size of the first packet that waits in a socket. The
// kernel drops packets with a wrong UDP checksum on this occasion.
func pending(fd uintptr) int {
	n, err := unix.IoctlGetInt(int(fd), ioctlPending)
	if err != nil {
		return 0
	}
	return n
}

// readable reports whether a packet waits, be it an empty one.
func readable(fd uintptr) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n == 1
}

// now reports whether a packet that is not empty waits.
// Precondition: the device is locked.
func (r *readiness) now() bool {
	r.queued = 0
	_ = r.raw.Control(r.look)
	return r.queued > 0
}

// wait waits until a packet waits or has come, and returns false when the socket
// is closed. One that has come may have been taken by a program that polls.
func (r *readiness) wait() bool {
	r.asked = 0
	return r.wraw.Read(r.waiting) == nil
}

func (r *readiness) close() { r.waiter.Close() }

// unblock takes an empty datagram off the socket. Its size of 0 looks like no
// packet at all, and nothing behind it would ever be seen.
// Precondition: the device is locked.
func (u *udpLink) unblock() {
	stuck := false
	_ = u.ready.raw.Control(func(fd uintptr) { stuck = pending(fd) == 0 && readable(fd) })
	if !stuck {
		return
	}
	_ = u.conn.SetReadDeadline(time.Now().Add(rest)) // in case it was a damaged one after all
	u.readOne()
	_ = u.conn.SetReadDeadline(time.Time{})
}
