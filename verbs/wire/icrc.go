package wire

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// ICRC is the invariant CRC, the last four bytes of a packet (IBTA vol. 1,
// 7.8.1 and annex A17). It is the CRC-32 of Ethernet over the packet from the
// IP header on, with all ones in place of what routers may change:
//
//	8 x 0xFF                     for the InfiniBand LRH that RoCE v2 lacks
//	IPv4                         TOS, TTL, header checksum are ones
//	  or IPv6                    traffic class, flow label, hop limit are ones
//	UDP                          checksum is ones
//	BTH                          byte 4 (FECN, BECN, reserved) is ones
//	extended headers, payload, pad as they are
//
// It travels with its least significant byte first.
type ICRC uint32

// String returns the four bytes in the order in which they travel.
func (c ICRC) String() string {
	var b [ICRCLen]byte
	binary.LittleEndian.PutUint32(b[:], uint32(c))
	return fmt.Sprintf("%x", b)
}

// icrcStart is the CRC-32 of the eight leading bytes 0xFF.
const icrcStart = ^uint32(0xDEBB20E3)

// ICRC returns the ICRC of a packet b, from the BTH to the pad, in this
// envelope. It is defined for any b.
func (e *Envelope) ICRC(b []byte) ICRC { return icrc(e.prefix(len(b)), b) }

// prefix returns the CRC-32 of the headers around n bytes.
func (e *Envelope) prefix(n int) uint32 {
	var h [ipv6Len + udpLen]byte
	size := e.put(&h, n+ICRCLen)
	maskHeaders(&h, size)
	return updateShort(icrcStart, h[:size])
}

// icrc continues the CRC-32 of the headers over a packet.
func icrc(crc uint32, b []byte) ICRC {
	if len(b) < BTHLen {
		var bth [BTHLen]byte
		n := copy(bth[:], b)
		bth[bthResv6] = 0xFF
		return ICRC(updateShort(crc, bth[:n]))
	}
	const masked = 0xFF << (8 * bthResv6)
	crc = update8(crc, binary.LittleEndian.Uint64(b)|masked)
	crc = update4(crc, binary.LittleEndian.Uint32(b[bthPSN:]))
	return ICRC(crc32.Update(crc, crc32.IEEETable, b[BTHLen:]))
}

// Stream seals or verifies packets that follow each other between two
// addresses. It does what Envelope does, and remembers the CRC-32 of the
// headers: packets of one length have the same. The zero value is ready.
type Stream struct {
	known [4]struct { // of some lengths: messages and ACKs take turns
		env Envelope
		n   int // bytes from the BTH to the pad; 0: nothing is remembered
		crc uint32
	}
}

func (s *Stream) icrc(e *Envelope, b []byte) ICRC {
	if len(b) == 0 {
		return e.ICRC(b)
	}
	k := &s.known[len(b)/padAlign%len(s.known)]
	if k.n != len(b) || k.env != *e {
		k.env, k.n, k.crc = *e, len(b), e.prefix(len(b))
	}
	return icrc(k.crc, b)
}

// Seal is Envelope.Seal.
func (s *Stream) Seal(e *Envelope, b []byte, p *Packet) []byte {
	start := len(b)
	b = p.appendCovered(b)
	p.ICRC = s.icrc(e, b[start:])
	return binary.LittleEndian.AppendUint32(b, uint32(p.ICRC))
}

// Verify is Envelope.Verify.
func (s *Stream) Verify(e *Envelope, b []byte) bool {
	covered, sent, ok := splitICRC(b)
	return ok && s.icrc(e, covered) == sent
}

// maskHeaders sets the bits of n bytes of IP and UDP headers that the ICRC does
// not cover (IBTA vol. 1, annex A17).
func maskHeaders(h *[ipv6Len + udpLen]byte, n int) {
	if n == ipv4Len+udpLen {
		h[1], h[8], h[10], h[11] = 0xFF, 0xFF, 0xFF, 0xFF
	} else {
		h[0] |= 0x0F
		h[1], h[2], h[3], h[7] = 0xFF, 0xFF, 0xFF, 0xFF
	}
	h[n-2], h[n-1] = 0xFF, 0xFF
}

// Seal computes the ICRC of p in this envelope, keeps it in p and appends the
// whole packet to b.
func (e *Envelope) Seal(b []byte, p *Packet) []byte { return new(Stream).Seal(e, b, p) }

// Verify reports whether the last four bytes of the UDP payload b are its ICRC
// in this envelope.
func (e *Envelope) Verify(b []byte) bool { return new(Stream).Verify(e, b) }

// splitICRC cuts a UDP payload into what the ICRC covers and the ICRC. It is
// not ok if b is shorter than a BTH and an ICRC.
func splitICRC(b []byte) (covered []byte, sent ICRC, ok bool) {
	n := len(b) - ICRCLen
	if n < BTHLen {
		return nil, 0, false
	}
	return b[:n], ICRC(binary.LittleEndian.Uint32(b[n:])), true
}

// sliceTables[k][b] is the CRC register after the byte b and k zero bytes.
var sliceTables = func() (t [8]crc32.Table) {
	t[0] = *crc32.IEEETable
	for k := 1; k < len(t); k++ {
		for b := range t[k] {
			r := t[k-1][b]
			t[k][b] = r>>8 ^ t[0][uint8(r)]
		}
	}
	return t
}()

// updateShort is crc32.Update for a short p on the stack. The library's own
// function makes its argument escape to the heap.
func updateShort(crc uint32, p []byte) uint32 {
	for ; len(p) >= 8; p = p[8:] {
		crc = update8(crc, binary.LittleEndian.Uint64(p))
	}
	r := ^crc
	for _, b := range p {
		r = r>>8 ^ sliceTables[0][uint8(r)^b]
	}
	return ^r
}

// update8 is crc32.Update for eight bytes, the first of which is the lowest of
// v. Each goes through the table of the zero bytes that follow it.
func update8(crc uint32, v uint64) uint32 {
	t := &sliceTables
	lo, hi := ^crc^uint32(v), uint32(v>>32)
	return ^(t[7][uint8(lo)] ^ t[6][uint8(lo>>8)] ^ t[5][uint8(lo>>16)] ^ t[4][lo>>24] ^
		t[3][uint8(hi)] ^ t[2][uint8(hi>>8)] ^ t[1][uint8(hi>>16)] ^ t[0][hi>>24])
}

// update4 is update8 for four bytes.
func update4(crc, v uint32) uint32 {
	r, t := ^crc^v, &sliceTables
	return ^(t[3][uint8(r)] ^ t[2][uint8(r>>8)] ^ t[1][uint8(r>>16)] ^ t[0][r>>24])
}
