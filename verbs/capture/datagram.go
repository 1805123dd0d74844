package capture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"ibtour/verbs/wire"
)

// ErrNotRoCE is wrapped by the errors of Parse: the packet is none of RoCE v2,
// or too damaged or too short to tell.
var ErrNotRoCE = errors.New("not a RoCE v2 packet")

const (
	ipv4Len      = 20
	ipv6Len      = 40
	udpLen       = 8
	protoUDP     = 17     // IANA protocol number
	ipv4DF       = 0x4000 // flags and fragment offset: don't fragment
	ipv4Fragment = 0x3FFF // more fragments, or an offset: a part of a packet
)

// Datagram is an IP packet that carries RoCE v2.
type Datagram struct {
	// Envelope has the header fields. IPv4 options and the UDP checksum are not
	// part of it.
	Envelope wire.Envelope
	// Options is the length of the IPv4 options, which RoCE v2 has no use for.
	Options int
	// Checksum is that of UDP as it was captured; 0 means none (RFC 768).
	Checksum uint16
	// Payload is the packet from the BTH to the ICRC, as far as it was captured.
	Payload []byte
	// Missing is how many bytes of it were not captured.
	Missing int
}

// ICRC is what is known of a packet's ICRC.
type ICRC string

// The verdicts.
const (
	ICRCValid     ICRC = "valid"
	ICRCWrong     ICRC = "wrong"
	ICRCUnchecked ICRC = "unchecked" // bytes are missing, or IPv4 has options, which the ICRC does not define
)

// Parse reads an IP packet. Its headers are those of IPv4 (RFC 791), options
// included, or of IPv6 (RFC 8200) without extension headers, which RoCE v2 does
// not use; then UDP (RFC 768) to port 4791. What follows the datagram, such as
// the padding of a short Ethernet frame, is cut off. Payload points into b. The
// error wraps ErrNotRoCE.
func Parse(b []byte) (Datagram, error) {
	var d Datagram
	if len(b) == 0 {
		return d, refuse("it is empty")
	}
	var err error
	var udp []byte
	var rest int // length of the UDP datagram by the IP header
	switch version := b[0] >> 4; version {
	case 4:
		udp, rest, err = d.parseIPv4(b)
	case 6:
		udp, rest, err = d.parseIPv6(b)
	default:
		err = refuse("its IP version is %d", version)
	}
	if err != nil {
		return d, err
	}
	return d, d.parseUDP(udp, rest)
}

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNotRoCE, fmt.Sprintf(format, args...))
}

// parseIPv4 returns what follows the header, and its length by the header.
func (d *Datagram) parseIPv4(b []byte) (udp []byte, rest int, err error) {
	if len(b) < ipv4Len {
		return nil, 0, refuse("its IPv4 header ends after %d bytes", len(b))
	}
	size, total := int(b[0]&0xF)*4, int(binary.BigEndian.Uint16(b[2:]))
	fragment := binary.BigEndian.Uint16(b[6:])
	switch {
	case size < ipv4Len || total < size:
		return nil, 0, refuse("its IPv4 header of %d bytes has a length of %d", total, size)
	case len(b) < size:
		return nil, 0, refuse("its IPv4 header ends after %d bytes of %d", len(b), size)
	case fragment&ipv4Fragment != 0:
		return nil, 0, refuse("it is a fragment")
	case b[9] != protoUDP:
		return nil, 0, refuse("its IP protocol is %d", b[9])
	}
	d.Options = size - ipv4Len
	e := &d.Envelope
	e.TrafficClass, e.HopLimit = b[1], b[8]
	e.ID, e.MayFragment = binary.BigEndian.Uint16(b[4:]), fragment&ipv4DF == 0
	e.Src = netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[12:])), 0)
	e.Dst = netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[16:])), 0)
	return b[size:], total - size, nil
}

// parseIPv6 returns what follows the header, and its length by the header.
func (d *Datagram) parseIPv6(b []byte) (udp []byte, rest int, err error) {
	if len(b) < ipv6Len {
		return nil, 0, refuse("its IPv6 header ends after %d bytes", len(b))
	}
	if b[6] != protoUDP {
		return nil, 0, refuse("its IPv6 next header is %d", b[6])
	}
	src, dst := netip.AddrFrom16([16]byte(b[8:])), netip.AddrFrom16([16]byte(b[24:]))
	if src.Is4In6() || dst.Is4In6() {
		return nil, 0, refuse("its IPv6 addresses %v and %v are not for the wire", src, dst)
	}
	first := binary.BigEndian.Uint32(b)
	e := &d.Envelope
	e.TrafficClass, e.FlowLabel, e.HopLimit = uint8(first>>20), first&0xFFFFF, b[7]
	e.Src, e.Dst = netip.AddrPortFrom(src, 0), netip.AddrPortFrom(dst, 0)
	return b[ipv6Len:], int(binary.BigEndian.Uint16(b[4:])), nil
}

// parseUDP reads the UDP header. rest is what IP has for UDP.
func (d *Datagram) parseUDP(b []byte, rest int) error {
	if len(b) < udpLen || rest < udpLen {
		return refuse("its UDP header ends after %d bytes", min(len(b), rest))
	}
	e := &d.Envelope
	e.Src = netip.AddrPortFrom(e.Src.Addr(), binary.BigEndian.Uint16(b))
	e.Dst = netip.AddrPortFrom(e.Dst.Addr(), binary.BigEndian.Uint16(b[2:]))
	size := int(binary.BigEndian.Uint16(b[4:]))
	switch {
	case e.Dst.Port() != wire.Port:
		return refuse("it is for UDP port %d", e.Dst.Port())
	case size < udpLen || size > rest:
		return refuse("its UDP length is %d in an IP packet with room for %d", size, rest)
	}
	d.Checksum = binary.BigEndian.Uint16(b[6:])
	end := min(size, len(b))
	d.Payload, d.Missing = b[udpLen:end:end], size-end
	return nil
}

// ICRC checks the ICRC of the packet.
func (d *Datagram) ICRC() ICRC {
	switch {
	case d.Missing > 0 || d.Options > 0:
		return ICRCUnchecked
	case d.Envelope.Verify(d.Payload):
		return ICRCValid
	}
	return ICRCWrong
}
