package softroce

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"ibtour/verbs/wire"
)

// udpLink is UDP port 4791 of one local address.
//
// The socket is not connected and bound to exactly one address: then Linux
// writes IPv4 identification 0 under IP_PMTUDISC_DO, and both addresses of
// every packet are known, which the ICRC needs.
//
// One goroutine reads at a time. It is the link's own, so that
// acknowledgements flow while the program stands still, unless the program
// polls an empty queue: then the program reads by itself, which saves handing
// every packet from one goroutine to another. The link's goroutine rests
// meanwhile and looks now and then whether the program still polls.
type udpLink struct {
	dev   *device
	local netip.AddrPort
	conn  *net.UDPConn
	env   wire.Envelope // under the device lock

	reading sync.Mutex    // held by who reads
	claims  atomic.Int32  // programs that want to read
	buf     []byte        // under reading
	heard   time.Duration // when the last packet came; under reading
	until   time.Duration // the deadline of readFor, 0 if another one is set; under reading
	kick    chan struct{}
	gone    chan struct{}
	once    sync.Once
	done    sync.WaitGroup
}

const (
	// readLeast and readMost are how long a program that polls waits for a packet.
	readLeast = 100 * time.Microsecond
	readMost  = time.Millisecond
	// restLeast and restMost are how long the goroutine of a link looks away
	// while the program polls: ever longer, since looking wakes a thread.
	restLeast = time.Millisecond
	restMost  = 8 * time.Millisecond
	// socketBuffer is asked for: an RDMA READ arrives without flow control.
	socketBuffer = 4 << 20
)

// past is a deadline that ends a read at once.
var past = time.Unix(1, 0)

// openUDP opens the socket. EADDRINUSE: somebody else has the port.
func openUDP(d *device, addr netip.Addr) (*udpLink, error) {
	local := netip.AddrPortFrom(addr, wire.Port)
	network := "udp4"
	if addr.Is6() {
		network = "udp6"
	}
	lc := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error { return prepareSocket(raw, addr.Is6()) }}
	pc, err := lc.ListenPacket(context.Background(), network, local.String())
	if err != nil {
		return nil, err
	}
	conn := pc.(*net.UDPConn) //nolint:forcetypeassert // what ListenPacket returns for udp4 and udp6
	growBuffer(conn)
	u := &udpLink{
		dev: d, local: local, conn: conn, buf: make([]byte, 2*maxFrame),
		kick: make(chan struct{}, 1), gone: make(chan struct{}),
	}
	u.done.Go(u.run)
	return u, nil
}

// Send sends a packet. One that the operating system refuses (too large for
// the interface, no route any more) is lost, and the peer hears nothing.
func (u *udpLink) Send(env *wire.Envelope, b []byte) {
	_, _ = u.conn.WriteToUDPAddrPort(b, env.Dst)
}

// Close closes the socket and waits for the goroutine. The device must not be
// locked.
func (u *udpLink) Close() {
	u.once.Do(func() { close(u.gone) })
	u.conn.Close()
	u.done.Wait()
}

// handle takes in a packet.
// Precondition: the device is locked.
func (u *udpLink) handle(b []byte, from netip.AddrPort) {
	u.env.Src, u.env.Dst = from, u.local
	u.heard = u.dev.now()
	u.dev.receive(&u.env, b, u, u.heard)
}

// run is the goroutine of the link.
func (u *udpLink) run() {
	defer u.dev.guard()
	timer := time.NewTimer(restLeast)
	defer timer.Stop()
	for u.read() {
		for rest := restLeast; u.pause(timer, rest); rest = min(2*rest, restMost) {
		}
	}
}

// read reads until a program claims the socket, and returns false when it is
// closed.
func (u *udpLink) read() bool {
	u.reading.Lock()
	defer u.reading.Unlock()
	u.until = 0
	_ = u.conn.SetReadDeadline(time.Time{})
	u.flush() // what a program left that read until now
	for u.claims.Load() == 0 {
		n, from, err := u.conn.ReadFromUDPAddrPort(u.buf)
		if errors.Is(err, net.ErrClosed) {
			return false
		}
		u.dev.lock()
		if err == nil {
			u.handle(u.buf[:n], from)
		}
		u.dev.pumpAll(u.dev.now())
		u.dev.unlock()
	}
	return true
}

// flush sends what waits to be sent.
func (u *udpLink) flush() {
	u.dev.lock()
	defer u.dev.unlock()
	u.dev.pumpAll(u.dev.now())
}

// pause rests for a moment and then sends what a program left to be sent. It
// returns whether programs still poll.
func (u *udpLink) pause(timer *time.Timer, rest time.Duration) bool {
	u.dev.lock()
	seen := u.dev.polls
	u.dev.unlock()
	timer.Reset(rest)
	select {
	case <-timer.C:
	case <-u.kick:
	case <-u.gone:
		return false
	}
	u.dev.lock()
	defer u.dev.unlock()
	again := u.dev.waiters.Load() == 0 && u.dev.polls != seen
	if again {
		u.dev.release(u.dev.now())
	} else {
		u.dev.pumpAll(u.dev.now())
	}
	return again
}

// rouse ends the rest of the link's goroutine.
func (u *udpLink) rouse() {
	select {
	case u.kick <- struct{}{}:
	default:
	}
}

// claim makes the caller the one who reads, unless another program does.
func (u *udpLink) claim() bool {
	if u.reading.TryLock() {
		return true
	}
	if u.claims.Add(1) > 1 {
		u.claims.Add(-1)
		return false
	}
	defer u.claims.Add(-1)
	_ = u.conn.SetReadDeadline(past)
	u.reading.Lock()
	u.until = 0
	return true
}

// readFor reads for a program that polls q until something completes, there or
// on another queue that it may poll next, or a little while has passed. The
// acknowledgement of what completed is not sent yet: the program's own next
// packet, which the peer waits for, leaves first. Then it follows, unless
// ackPolicy lets it wait; at the latest when nothing came for a little while,
// or by the link's own goroutine.
// Precondition: claim returned true.
func (u *udpLink) readFor(q *cq) {
	defer u.reading.Unlock()
	d := u.dev
	d.lock()
	defer d.unlock()
	d.polls++
	d.pump() // what the last time left to be sent
	for before := d.completed; d.completed == before && q.n.Load() == 0 && u.readOnce(q); {
		if d.completed == before {
			d.pump()
		}
	}
}

// readOnce waits for a packet for a program that polls q, and takes it in. It
// returns false if none came. The device is not locked meanwhile.
// Precondition: the device is locked.
func (u *udpLink) readOnce(q *cq) bool {
	u.limit()
	q.park.reader = u
	u.dev.unlock()
	n, from, err := u.conn.ReadFromUDPAddrPort(u.buf)
	u.dev.lock()
	q.park.reader = nil
	switch {
	case err == nil:
		u.handle(u.buf[:n], from)
	case errors.Is(err, os.ErrDeadlineExceeded):
		u.until = 0
		u.dev.release(u.dev.now())
		return false
	}
	return !errors.Is(err, net.ErrClosed)
}

// limit makes a read end after readLeast to readMost, or at once if nothing has
// come for long. Moving a deadline may wake a thread, which costs as much as a
// message, so one serves many reads, and the time of the last packet is near
// enough.
func (u *udpLink) limit() {
	if u.until-u.heard < readLeast {
		u.until = u.dev.now() + readMost
		_ = u.conn.SetReadDeadline(time.Now().Add(readMost))
	}
}

// interrupt ends a read under way.
func (u *udpLink) interrupt() { _ = u.conn.SetReadDeadline(past) }
