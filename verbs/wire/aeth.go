package wire

import "encoding/binary"

// The ACK Extended Transport Header (IBTA vol. 1, 9.3):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-----------------------------------------------+
//	|    Syndrome   |                     MSN                       |
//	+---------------+-----------------------------------------------+

// AETHLen is the size of the AETH in bytes.
const AETHLen = 4

// MSN is a message sequence number: how many request messages the responder
// has completed, 24 bits, counted modulo 2^24 (IBTA vol. 1, 9.7.7).
type MSN uint32

// Add returns the MSN n messages after m, modulo 2^24.
func (m MSN) Add(n int) MSN { return MSN(PSN(m).Add(n)) }

// Sub returns the signed distance m-q in messages, in [-2^23, 2^23).
func (m MSN) Sub(q MSN) int { return PSN(m).Sub(PSN(q)) }

// AETH is the answer of a responder: good or bad, and how far it has come
// (IBTA vol. 1, 9.3 and 9.7.5).
type AETH struct {
	Syndrome Syndrome
	MSN      MSN
}

// Len returns the size of the header in bytes.
func (AETH) Len() int { return AETHLen }

// ParseAETH reads an AETH from the start of b.
func ParseAETH(b []byte) (AETH, error) {
	if len(b) < AETHLen {
		return AETH{}, short("AETH", len(b), AETHLen)
	}
	w := binary.BigEndian.Uint32(b)
	return AETH{Syndrome: Syndrome(w >> 24), MSN: MSN(w & PSNMask)}, nil
}

// Append writes the header behind b.
func (h AETH) Append(b []byte) []byte {
	return binary.BigEndian.AppendUint32(b, uint32(h.Syndrome)<<24|uint32(h.MSN)&PSNMask)
}
