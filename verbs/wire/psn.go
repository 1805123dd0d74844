package wire

import "fmt"

// psnBits is the width of a packet sequence number (IBTA vol. 1, 9.7.1).
const psnBits = 24

// PSNMask keeps the bits of a PSN or QPN in a 32-bit word.
const PSNMask = 1<<psnBits - 1

// PSN is a packet sequence number: 24 bits, counted modulo 2^24
// (IBTA vol. 1, 9.7.1). Nothing but its methods compares two of them.
type PSN uint32

// Add returns the PSN n packets after p, modulo 2^24. A negative n goes back.
func (p PSN) Add(n int) PSN { return PSN(uint32(int64(p)+int64(n)) & PSNMask) }

// Sub returns the signed distance p-q in packets, in [-2^23, 2^23).
func (p PSN) Sub(q PSN) int { return int(int32(uint32(p-q)<<(32-psnBits)) >> (32 - psnBits)) }

// Before reports whether p comes before q in the half-space window of 2^23.
func (p PSN) Before(q PSN) bool { return p.Sub(q) < 0 }

// String returns the six hexadecimal digits used by ibv_rc_pingpong.
func (p PSN) String() string { return fmt.Sprintf("0x%06x", uint32(p)) }

// QPN is a queue pair number: 24 bits (IBTA vol. 1, 9.2).
type QPN uint32

// String returns the six hexadecimal digits used by ibv_rc_pingpong.
func (q QPN) String() string { return fmt.Sprintf("0x%06x", uint32(q)) }

// RKey is the key a peer presents to reach a memory region (IBTA vol. 1, 10.6.3).
type RKey uint32

// String returns the key in hexadecimal.
func (k RKey) String() string { return fmt.Sprintf("0x%08x", uint32(k)) }
