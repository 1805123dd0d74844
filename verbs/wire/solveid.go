package wire

import "hash/crc32"

// ipv4AfterID are the bytes of IPv4 and UDP header behind the identification.
const ipv4AfterID = ipv4Len - 6 + udpLen

// SolveID returns the IPv4 identification under which the last four bytes of
// the UDP payload b are its ICRC, and false if there is none: then the packet
// is damaged. A UDP socket does not show the identification, yet the ICRC
// covers it. On IPv6, which has none, SolveID is Verify. e.ID is not read.
//
// A CRC is affine over GF(2): flipping bits of the identification flips the
// same bits of the CRC whatever the rest of the packet is. Let d be the
// difference between the ICRC sent and the one for identification 0. As a
// polynomial, d is the 16 unknown bits times x^(8n) modulo P, where n counts
// the identification and the bytes behind it. So d is divided by x^(8n): the
// CRC runs n bytes backwards. Of the 32 bits that come out 16 are the
// identification and the others must be zero. Those 16 are all the protection
// that is left: one of 65536 damaged packets passes. (IBTA vol. 1, 7.8.1)
func (e *Envelope) SolveID(b []byte) (id uint16, ok bool) {
	if !e.Is4() {
		return 0, e.Verify(b)
	}
	covered, sent, ok := splitICRC(b)
	if !ok {
		return 0, false
	}
	zero := *e
	zero.ID = 0
	d := uint32(zero.ICRC(covered) ^ sent)
	d = rewind(d, 2+ipv4AfterID+len(covered))
	// The register is reflected: the byte that came first is the lowest.
	return uint16(d&0xFF<<8 | d>>8), d>>16 == 0
}

// rewind undoes n zero bytes of a CRC register with two multiplications. n is
// taken modulo 2^16, enough for a UDP datagram.
func rewind(r uint32, n int) uint32 {
	r = mul(r, rewinds[0][uint8(n)])
	return mul(r, rewinds[1][uint8(n>>8)])
}

// rewinds[0][n] is x^(-8n) and rewinds[1][n] is x^(-8*256*n), modulo P.
var rewinds = func() (t [2][256]uint32) {
	const one = 1 << 31 // x^0: reflected, the highest bit is the constant term
	step := uint32(one)
	for range 8 {
		step = divX(step)
	}
	for k := range t {
		t[k][0] = one
		for n := 1; n < len(t[k]); n++ {
			t[k][n] = mul(t[k][n-1], step)
		}
		step = mul(t[k][len(t[k])-1], step)
	}
	return t
}()

// divX divides a polynomial by x modulo P: one bit of a CRC backwards.
func divX(r uint32) uint32 {
	if r>>31 == 1 {
		return (r^crc32.IEEE)<<1 | 1
	}
	return r << 1
}

// mul multiplies two polynomials modulo P, both reflected.
func mul(a, b uint32) uint32 {
	p := uint32(0)
	for range 32 {
		p ^= b & -(a >> 31) // the bit of a that is due, as a mask
		a <<= 1
		b = b>>1 ^ crc32.IEEE&-(b&1) // b times x
	}
	return p
}
