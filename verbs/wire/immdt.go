package wire

import (
	"encoding/binary"
	"fmt"
)

// The Immediate Data header (IBTA vol. 1, 9.3):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                         Immediate Data                        |
//	+---------------------------------------------------------------+

// ImmDtLen is the size of the ImmDt in bytes.
const ImmDtLen = 4

// ImmDt is the immediate data of a SEND or RDMA WRITE: four bytes that go
// straight into the receiver's work completion (IBTA vol. 1, 9.3). The value
// reads them as a big-endian number, as C programs do with ntohl(imm_data).
type ImmDt uint32

// Len returns the size of the header in bytes.
func (ImmDt) Len() int { return ImmDtLen }

// ParseImmDt reads an ImmDt from the start of b.
func ParseImmDt(b []byte) (ImmDt, error) {
	if len(b) < ImmDtLen {
		return 0, short("ImmDt", len(b), ImmDtLen)
	}
	return ImmDt(binary.BigEndian.Uint32(b)), nil
}

// Append writes the header behind b.
func (h ImmDt) Append(b []byte) []byte { return binary.BigEndian.AppendUint32(b, uint32(h)) }

// String returns the data in hexadecimal.
func (h ImmDt) String() string { return fmt.Sprintf("0x%08x", uint32(h)) }
