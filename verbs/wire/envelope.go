package wire

import (
	"encoding/binary"
	"net/netip"
)

// The headers around a packet: IPv4 without options (RFC 791) or IPv6 (RFC
// 8200), and UDP (RFC 768).
const (
	// Port is the UDP destination port of RoCE v2 (IBTA vol. 1, annex A17).
	Port = 4791

	// DefaultHopLimit stands in a header whose Envelope names no hop limit.
	DefaultHopLimit = 64

	ipv4Len = 20
	ipv6Len = 40
	udpLen  = 8

	protoUDP = 17     // IANA protocol number
	ipv4DF   = 0x4000 // flags and fragment offset: don't fragment
)

// Envelope is what surrounds a packet: the IP and UDP header fields that the
// ICRC covers, and those a capture file shows besides. It is IPv4 if both
// addresses are IPv4 or IPv4-mapped, IPv6 otherwise; zones are ignored.
type Envelope struct {
	Src, Dst netip.AddrPort

	// ID is the IPv4 identification, covered by the ICRC. Linux writes 0 on an
	// unconnected UDP socket with IP_MTU_DISCOVER = IP_PMTUDISC_DO. A receiver
	// does not know the sender's: see SolveID.
	ID uint16
	// MayFragment clears the IPv4 flag DF. RoCE v2 packets have it set.
	MayFragment bool

	// The rest is not covered by the ICRC, since routers may change it.

	TrafficClass uint8  // TOS on IPv4
	HopLimit     uint8  // TTL on IPv4; 0 means DefaultHopLimit
	FlowLabel    uint32 // IPv6, 20 bits
}

// Is4 reports whether the headers are IPv4.
func (e *Envelope) Is4() bool {
	return e.Src.Addr().Unmap().Is4() && e.Dst.Addr().Unmap().Is4()
}

// HeaderLen returns the bytes of the IP and UDP headers together.
func (e *Envelope) HeaderLen() int {
	if e.Is4() {
		return ipv4Len + udpLen
	}
	return ipv6Len + udpLen
}

// AppendHeaders writes the IP and UDP headers of a datagram with n bytes of UDP
// payload (Packet.Len) behind b, as a capture file wants them. The IPv4 header
// checksum is right; the UDP checksum is 0, which RoCE v2 allows on IPv6 too
// (IBTA vol. 1, annex A17).
func (e *Envelope) AppendHeaders(b []byte, n int) []byte {
	var h [ipv6Len + udpLen]byte
	size := e.put(&h, n)
	if size == ipv4Len+udpLen {
		binary.BigEndian.PutUint16(h[10:], checksum(h[:ipv4Len]))
	}
	return append(b, h[:size]...)
}

// put writes both headers with zero checksums and returns their length.
func (e *Envelope) put(h *[ipv6Len + udpLen]byte, n int) int {
	if e.Is4() {
		e.putIPv4(h, n)
		e.putUDP(h[ipv4Len:], n)
		return ipv4Len + udpLen
	}
	e.putIPv6(h, n)
	e.putUDP(h[ipv6Len:], n)
	return ipv6Len + udpLen
}

// putIPv4 writes an IPv4 header (RFC 791, 3.1) without its checksum.
func (e *Envelope) putIPv4(h *[ipv6Len + udpLen]byte, n int) {
	h[0] = 4<<4 | ipv4Len/4
	h[1] = e.TrafficClass
	binary.BigEndian.PutUint16(h[2:], uint16(ipv4Len+udpLen+n))
	binary.BigEndian.PutUint16(h[4:], e.ID)
	if !e.MayFragment {
		binary.BigEndian.PutUint16(h[6:], ipv4DF)
	}
	h[8] = e.hopLimit()
	h[9] = protoUDP
	src, dst := e.Src.Addr().Unmap().As4(), e.Dst.Addr().Unmap().As4()
	copy(h[12:], src[:])
	copy(h[16:], dst[:])
}

// putIPv6 writes an IPv6 header (RFC 8200, 3).
func (e *Envelope) putIPv6(h *[ipv6Len + udpLen]byte, n int) {
	binary.BigEndian.PutUint32(h[0:], 6<<28|uint32(e.TrafficClass)<<20|e.FlowLabel&flowLabelMask)
	binary.BigEndian.PutUint16(h[4:], uint16(udpLen+n))
	h[6] = protoUDP
	h[7] = e.hopLimit()
	src, dst := e.Src.Addr().As16(), e.Dst.Addr().As16()
	copy(h[8:], src[:])
	copy(h[24:], dst[:])
}

// putUDP writes a UDP header with checksum 0.
func (e *Envelope) putUDP(h []byte, n int) {
	binary.BigEndian.PutUint16(h[0:], e.Src.Port())
	binary.BigEndian.PutUint16(h[2:], e.Dst.Port())
	binary.BigEndian.PutUint16(h[4:], uint16(udpLen+n))
}

func (e *Envelope) hopLimit() uint8 {
	if e.HopLimit == 0 {
		return DefaultHopLimit
	}
	return e.HopLimit
}

// checksum returns the Internet checksum of an even number of bytes (RFC 1071).
func checksum(b []byte) uint16 {
	sum := uint32(0)
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(binary.BigEndian.Uint16(b[i:]))
	}
	sum = sum>>16 + sum&0xFFFF
	return ^uint16(sum>>16 + sum)
}
