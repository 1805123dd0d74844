package wire

import "encoding/binary"

// The Atomic Acknowledge Extended Transport Header (IBTA vol. 1, 9.3):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                  Original Remote Data (63..32)                |
//	+---------------------------------------------------------------+
//	|                  Original Remote Data (31..0)                 |
//	+---------------------------------------------------------------+

// AtomicAckETHLen is the size of the AtomicAckETH in bytes.
const AtomicAckETHLen = 8

// AtomicAckETH returns what the remote word held before an atomic operation
// (IBTA vol. 1, 9.3).
type AtomicAckETH struct {
	Orig uint64
}

// Len returns the size of the header in bytes.
func (AtomicAckETH) Len() int { return AtomicAckETHLen }

// ParseAtomicAckETH reads an AtomicAckETH from the start of b.
func ParseAtomicAckETH(b []byte) (AtomicAckETH, error) {
	if len(b) < AtomicAckETHLen {
		return AtomicAckETH{}, short("AtomicAckETH", len(b), AtomicAckETHLen)
	}
	return AtomicAckETH{Orig: binary.BigEndian.Uint64(b)}, nil
}

// Append writes the header behind b.
func (h AtomicAckETH) Append(b []byte) []byte {
	return binary.BigEndian.AppendUint64(b, h.Orig)
}
