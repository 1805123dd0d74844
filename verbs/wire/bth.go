package wire

import (
	"encoding/binary"
	"fmt"
)

// The Base Transport Header (IBTA vol. 1, 9.2):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-+-+---+-------+-------------------------------+
//	|     Opcode    |S|M|Pad| TVer  |             P_Key             |
//	+-+-+-----------+-+-+---+-------+-------------------------------+
//	|F|B| reserved6 |           Destination QP                      |
//	+-+-+-----------+-----------------------------------------------+
//	|A|  reserved7  |                    PSN                        |
//	+-+-------------+-----------------------------------------------+
//
// S solicited event, M migration request, F FECN, B BECN, A acknowledge request.
const (
	bthFlags  = 1 // S, M, Pad, TVer
	bthPKey   = 2
	bthResv6  = 4 // F, B and the reserved bits the ICRC does not cover
	bthDestQP = 4 // as a 32-bit word
	bthPSN    = 8 // as a 32-bit word

	// BTHLen is the size of the BTH in bytes.
	BTHLen = 12
)

// PKey is a partition key: the partition in 15 bits and full membership in the
// highest (IBTA vol. 1, 10.9). Both ends of a connection must be in the same.
type PKey uint16

// DefaultPKey is the partition every port starts in.
const DefaultPKey PKey = 0xFFFF

// String returns the key in hexadecimal.
func (k PKey) String() string { return fmt.Sprintf("0x%04x", uint16(k)) }

// BTH is the Base Transport Header (IBTA vol. 1, 9.2). The reserved bits are
// kept so that a packet can be written again exactly as it came.
type BTH struct {
	Opcode    Opcode
	Solicited bool  // SE: wake up a completion channel armed for solicited events
	MigReq    bool  // M: the sender's path is in the migrated state
	PadCount  uint8 // zero bytes behind the payload, 0..3; Packet.Append computes it
	TVer      uint8 // transport header version, 0
	PKey      PKey
	FECN      bool  // forward congestion mark; RoCE v2 uses the ECN bits of IP instead
	BECN      bool  // set in a congestion notification packet
	Resv6     uint8 // six reserved bits
	DestQP    QPN
	AckReq    bool  // A: the requester asks for an acknowledgement
	Resv7     uint8 // seven reserved bits
	PSN       PSN
}

// Len returns the size of the header in bytes.
func (BTH) Len() int { return BTHLen }

// ParseBTH reads a BTH from the start of b. It accepts every opcode and version.
func ParseBTH(b []byte) (h BTH, err error) {
	if len(b) < BTHLen {
		return h, short("BTH", len(b), BTHLen)
	}
	h.parseBTH(b)
	return h, nil
}

// parseBTH reads the header, field by field in place: to copy a struct that was just
// filled in costs as much as to fill it in.
// Precondition: b is long enough.
func (h *BTH) parseBTH(b []byte) {
	flags := b[bthFlags]
	qp := binary.BigEndian.Uint32(b[bthDestQP:])
	psn := binary.BigEndian.Uint32(b[bthPSN:])
	h.Opcode = Opcode(b[0])
	h.Solicited = flags>>7 == 1
	h.MigReq = flags>>6&1 == 1
	h.PadCount = flags >> 4 & 3
	h.TVer = flags & 15
	h.PKey = PKey(binary.BigEndian.Uint16(b[bthPKey:]))
	h.FECN = qp>>31 == 1
	h.BECN = qp>>30&1 == 1
	h.Resv6 = uint8(qp >> 24 & 63)
	h.DestQP = QPN(qp & PSNMask)
	h.AckReq = psn>>31 == 1
	h.Resv7 = uint8(psn >> 24 & 127)
	h.PSN = PSN(psn & PSNMask)
}

// Append writes the header behind b. Values wider than their field lose their
// upper bits.
func (h BTH) Append(b []byte) []byte { return h.appendBTH(b, h.PadCount) }

// appendBTH writes the header with another PadCount.
func (h *BTH) appendBTH(b []byte, pad uint8) []byte {
	flags := bit(h.Solicited)<<7 | bit(h.MigReq)<<6 | uint32(pad&3)<<4 | uint32(h.TVer&15)
	b = append(b, uint8(h.Opcode), uint8(flags))
	b = binary.BigEndian.AppendUint16(b, uint16(h.PKey))
	b = binary.BigEndian.AppendUint32(b, bit(h.FECN)<<31|bit(h.BECN)<<30|
		uint32(h.Resv6&63)<<24|uint32(h.DestQP)&PSNMask)
	return binary.BigEndian.AppendUint32(b, bit(h.AckReq)<<31|
		uint32(h.Resv7&127)<<24|uint32(h.PSN)&PSNMask)
}

// bit returns 1 for true.
func bit(v bool) uint32 {
	if v {
		return 1
	}
	return 0
}
