package softroce

import (
	"context"
	"net"
	"net/netip"
	"sync"
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
// Who reads: a program that polls reads on its own goroutine, under the lock
// of the device. When it does not, the goroutine of the link does, so that
// acknowledgements flow while the program stands still.
//
//	           packet                nobody polled for a while
//	waiting ───────────▶ handle ─┬─▶ waiting
//	                             └─▶ resting ──▶ (looks again)
//	                        the program polls
type udpLink struct {
	dev   *device
	local netip.AddrPort
	conn  *net.UDPConn
	ready *readiness
	env   wire.Envelope
	buf   []byte
	kick  chan struct{}
	gone  chan struct{}
	once  sync.Once
	done  sync.WaitGroup
}

// rest is how long the goroutine of a link looks away while the program polls.
const rest = time.Millisecond

// socketBuffer is asked for: an RDMA READ arrives without flow control.
const socketBuffer = 4 << 20

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
	_ = conn.SetReadBuffer(socketBuffer)
	ready, err := newReadiness(conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	u := &udpLink{
		dev: d, local: local, conn: conn, ready: ready,
		buf: make([]byte, 2*maxFrame), kick: make(chan struct{}, 1), gone: make(chan struct{}),
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
	u.ready.close()
	u.conn.Close()
	u.done.Wait()
}

// drain handles the packets that wait in the socket, up to the first one that
// completes something on q, which may be nil.
// Precondition: the device is locked.
func (u *udpLink) drain(q *cq) {
	for range maxQueued {
		if !u.ready.now() {
			return
		}
		if u.readOne(); q != nil && q.n.Load() > 0 {
			return
		}
	}
}

// readOne handles one packet.
func (u *udpLink) readOne() {
	n, from, err := u.conn.ReadFromUDPAddrPort(u.buf)
	if err != nil {
		return
	}
	u.handle(u.buf[:n], from)
}

func (u *udpLink) handle(b []byte, from netip.AddrPort) {
	u.env.Src, u.env.Dst = from, u.local
	u.dev.receive(&u.env, b, u, u.dev.now())
}

// rouse ends the rest of the link's goroutine.
func (u *udpLink) rouse() {
	select {
	case u.kick <- struct{}{}:
	default:
	}
}

// run is the goroutine of the link.
func (u *udpLink) run() {
	timer := time.NewTimer(rest)
	defer timer.Stop()
	seen := u.dev.polls.Load()
	for u.ready.wait() {
		u.look()
		for u.dev.waiters.Load() == 0 {
			polls := u.dev.polls.Load()
			if polls == seen {
				break // nobody polls: wait for the next packet here
			}
			seen = polls
			timer.Reset(rest)
			select {
			case <-timer.C:
			case <-u.kick:
			case <-u.gone:
				return
			}
			u.look()
		}
	}
}

// look handles what has come, and sends what was left to be sent.
func (u *udpLink) look() {
	u.dev.lock()
	defer u.dev.unlock()
	u.drain(nil)
	u.unblock()
	u.dev.pump()
}
