package wire

import "encoding/binary"

// The Atomic Extended Transport Header (IBTA vol. 1, 9.3):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                     Virtual Address (63..32)                  |
//	+---------------------------------------------------------------+
//	|                     Virtual Address (31..0)                   |
//	+---------------------------------------------------------------+
//	|                            R_Key                              |
//	+---------------------------------------------------------------+
//	|                  Swap (or Add) Data (63..32)                  |
//	+---------------------------------------------------------------+
//	|                  Swap (or Add) Data (31..0)                   |
//	+---------------------------------------------------------------+
//	|                     Compare Data (63..32)                     |
//	+---------------------------------------------------------------+
//	|                     Compare Data (31..0)                      |
//	+---------------------------------------------------------------+
const (
	atomicVA      = 0
	atomicRKey    = 8
	atomicSwapAdd = 12
	atomicCompare = 20

	// AtomicETHLen is the size of the AtomicETH in bytes.
	AtomicETHLen = 28
)

// AtomicETH names the remote 64-bit word of an atomic operation and carries its
// operands (IBTA vol. 1, 9.3 and 9.4.5).
type AtomicETH struct {
	VA      uint64 // remote virtual address, a multiple of 8
	RKey    RKey
	SwapAdd uint64 // the new value of COMPARE_SWAP, the addend of FETCH_ADD
	Compare uint64 // the expected value of COMPARE_SWAP; ignored by FETCH_ADD
}

// Len returns the size of the header in bytes.
func (AtomicETH) Len() int { return AtomicETHLen }

// ParseAtomicETH reads an AtomicETH from the start of b.
func ParseAtomicETH(b []byte) (AtomicETH, error) {
	if len(b) < AtomicETHLen {
		return AtomicETH{}, short("AtomicETH", len(b), AtomicETHLen)
	}
	return AtomicETH{
		VA:      binary.BigEndian.Uint64(b[atomicVA:]),
		RKey:    RKey(binary.BigEndian.Uint32(b[atomicRKey:])),
		SwapAdd: binary.BigEndian.Uint64(b[atomicSwapAdd:]),
		Compare: binary.BigEndian.Uint64(b[atomicCompare:]),
	}, nil
}

// Append writes the header behind b.
func (h AtomicETH) Append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, h.VA)
	b = binary.BigEndian.AppendUint32(b, uint32(h.RKey))
	b = binary.BigEndian.AppendUint64(b, h.SwapAdd)
	return binary.BigEndian.AppendUint64(b, h.Compare)
}
