package wire

import "encoding/binary"

// The Invalidate Extended Transport Header (IBTA vol. 1, 9.3):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                            R_Key                              |
//	+---------------------------------------------------------------+

// IETHLen is the size of the IETH in bytes.
const IETHLen = 4

// IETH is the key a SEND with invalidate makes void at the receiver
// (IBTA vol. 1, 9.3 and 9.4.1).
type IETH struct {
	RKey RKey
}

// Len returns the size of the header in bytes.
func (IETH) Len() int { return IETHLen }

// ParseIETH reads an IETH from the start of b.
func ParseIETH(b []byte) (IETH, error) {
	if len(b) < IETHLen {
		return IETH{}, short("IETH", len(b), IETHLen)
	}
	return IETH{RKey: RKey(binary.BigEndian.Uint32(b))}, nil
}

// Append writes the header behind b.
func (h IETH) Append(b []byte) []byte { return binary.BigEndian.AppendUint32(b, uint32(h.RKey)) }
