package wire

import "encoding/binary"

// The RDMA Extended Transport Header (IBTA vol. 1, 9.3):
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
//	|                          DMA Length                           |
//	+---------------------------------------------------------------+
const (
	rethVA     = 0
	rethRKey   = 8
	rethDMALen = 12

	// RETHLen is the size of the RETH in bytes.
	RETHLen = 16
)

// RETH names the remote memory of an RDMA WRITE or READ (IBTA vol. 1, 9.3).
type RETH struct {
	VA     uint64 // remote virtual address
	RKey   RKey
	DMALen uint32 // bytes of the whole message, not of this packet
}

// Len returns the size of the header in bytes.
func (RETH) Len() int { return RETHLen }

// ParseRETH reads a RETH from the start of b.
func ParseRETH(b []byte) (RETH, error) {
	if len(b) < RETHLen {
		return RETH{}, short("RETH", len(b), RETHLen)
	}
	return RETH{
		VA:     binary.BigEndian.Uint64(b[rethVA:]),
		RKey:   RKey(binary.BigEndian.Uint32(b[rethRKey:])),
		DMALen: binary.BigEndian.Uint32(b[rethDMALen:]),
	}, nil
}

// Append writes the header behind b.
func (h RETH) Append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, h.VA)
	b = binary.BigEndian.AppendUint32(b, uint32(h.RKey))
	return binary.BigEndian.AppendUint32(b, h.DMALen)
}
