package softroce

import (
	"net"
	"net/netip"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// Link carries packets to peers: in memory to another queue pair of this
// device, or through a UDP socket.
type Link interface {
	// Send sends one packet: b is the UDP payload, env the headers around it.
	// The link keeps neither. A packet it cannot send is lost.
	Send(env *wire.Envelope, b []byte)
	// Close frees the link. Nothing is sent afterwards.
	Close()
}

// linkTo returns the link to a peer and the two ends of the path. An address of
// this device leads to a queue pair of this device.
// Precondition: mu is locked.
func (d *device) linkTo(local gid, dgid verbs.GID, sport uint16) (l Link, from, to netip.AddrPort, err error) {
	to = netip.AddrPortFrom(dgid.Addr(), wire.Port)
	if d.isLocal(dgid) {
		return &d.memory, netip.AddrPortFrom(local.addr.WithZone(""), sport), to, nil
	}
	to = netip.AddrPortFrom(dgid.Addr().WithZone(zoneFor(dgid.Addr(), local)), wire.Port)
	if err := checkRoute(local, to); err != nil {
		return nil, from, to, err
	}
	u, err := d.socket(local)
	if err != nil {
		return nil, from, to, err
	}
	return u, netip.AddrPortFrom(local.addr, wire.Port), to, nil
}

// zoneFor returns the interface a link-local address is reached through.
func zoneFor(a netip.Addr, local gid) string {
	if a.IsLinkLocalUnicast() {
		return local.addr.Zone()
	}
	return ""
}

// checkRoute asks the operating system whether it has a route from a local
// address. Connecting a UDP socket sends nothing.
func checkRoute(local gid, to netip.AddrPort) error {
	dialer := net.Dialer{LocalAddr: net.UDPAddrFromAddrPort(netip.AddrPortFrom(local.addr, 0))}
	c, err := dialer.Dial("udp", to.String())
	if err != nil {
		return err
	}
	return c.Close()
}

// socket returns the link for a local address, and opens it at first use.
func (d *device) socket(local gid) (*udpLink, error) {
	if u := d.udp[local.addr]; u != nil {
		return u, nil
	}
	u, err := openUDP(d, local.addr)
	if err != nil {
		return nil, err
	}
	d.udp[local.addr] = u
	d.lone.Store(nil)
	if d.sockets.Add(1) == 1 {
		d.lone.Store(u)
	}
	return u, nil
}

// carry puts a packet on a link through the hook.
// Precondition: mu is locked.
func (d *device) carry(env *wire.Envelope, link Link, b []byte) {
	d.opts.Hook.Carry(b, func(b []byte, after time.Duration) {
		if after <= 0 {
			link.Send(env, b)
			return
		}
		late := append([]byte(nil), b...)
		path := *env
		time.AfterFunc(after, func() { d.carryLate(&path, link, late) })
	})
}

// carryLate puts a delayed packet on its link.
func (d *device) carryLate(env *wire.Envelope, link Link, b []byte) {
	defer d.guard()
	d.lock()
	defer d.unlock()
	select {
	case <-d.down:
		return
	default:
	}
	link.Send(env, b)
	d.pump()
}

// memoryLink carries packets between queue pairs of one device. They wait here
// until pump delivers them, so that a queue pair is never entered twice.
type memoryLink struct {
	dev  *device
	ring []frame
	head int
	n    int
}

// frame is a packet under way in memory.
type frame struct {
	env wire.Envelope
	b   []byte
}

// Send queues a packet for another queue pair of this device.
func (m *memoryLink) Send(env *wire.Envelope, b []byte) {
	if m.n == len(m.ring) {
		m.grow()
	}
	f := &m.ring[(m.head+m.n)%len(m.ring)]
	m.n++
	f.env = *env
	f.b = append(f.b[:0], b...)
}

// grow doubles the ring. emit stops at maxQueued packets, so this ends soon.
func (m *memoryLink) grow() {
	ring := make([]frame, max(2*len(m.ring), 16))
	for i := range m.n {
		ring[i] = m.ring[(m.head+i)%len(m.ring)]
	}
	m.ring, m.head = ring, 0
}

// deliver hands over the oldest packet.
func (m *memoryLink) deliver(now time.Duration) {
	f := &m.ring[m.head]
	m.dev.receive(&f.env, f.b, m, now)
	// Only now may its place be taken by another packet.
	m.head = (m.head + 1) % len(m.ring)
	m.n--
}

// Close does nothing.
func (m *memoryLink) Close() {}
