package wire

import "fmt"

// Opcode is the first byte of the BTH: the transport service in bits 7..5 and
// the operation in bits 4..0 (IBTA vol. 1, 9.2). The RC service is 000.
type Opcode uint8

// The opcodes of the RC service. 0x15 is reserved.
const (
	OpSendFirst          Opcode = 0x00
	OpSendMiddle         Opcode = 0x01
	OpSendLast           Opcode = 0x02
	OpSendLastImm        Opcode = 0x03
	OpSendOnly           Opcode = 0x04
	OpSendOnlyImm        Opcode = 0x05
	OpWriteFirst         Opcode = 0x06
	OpWriteMiddle        Opcode = 0x07
	OpWriteLast          Opcode = 0x08
	OpWriteLastImm       Opcode = 0x09
	OpWriteOnly          Opcode = 0x0A
	OpWriteOnlyImm       Opcode = 0x0B
	OpReadRequest        Opcode = 0x0C
	OpReadResponseFirst  Opcode = 0x0D
	OpReadResponseMiddle Opcode = 0x0E
	OpReadResponseLast   Opcode = 0x0F
	OpReadResponseOnly   Opcode = 0x10
	OpAck                Opcode = 0x11
	OpAtomicAck          Opcode = 0x12
	OpCompareSwap        Opcode = 0x13
	OpFetchAdd           Opcode = 0x14
	OpSendLastInv        Opcode = 0x16
	OpSendOnlyInv        Opcode = 0x17
)

// Opcodes this package can name and no more: Parse refuses them.
const (
	OpFlush       Opcode = 0x1C // RC, IBTA vol. 1, annex A19
	OpAtomicWrite Opcode = 0x1D // RC, IBTA vol. 1, annex A19
	OpUCSendOnly  Opcode = 0x24
	OpUDSendOnly  Opcode = 0x64
	OpUDSendImm   Opcode = 0x65
	OpCNP         Opcode = 0x81 // congestion notification, annex A17
)

// Info is one row of the opcode table: all that the first byte of a packet says
// about the rest of it.
type Info struct {
	Name         string
	Kind         Kind
	Position     Position
	Headers      Headers
	Payload      PayloadRule
	ConsumesRecv bool // needs a receive work request at the responder
	Response     bool // travels from responder to requester
}

// opcodes is the single source of the header layout (IBTA vol. 1, 9.2 and
// 9.4). A row without a Kind is a name only.
var opcodes = [256]Info{
	OpSendFirst:          {"SEND_FIRST", KindSend, First, 0, PayloadFull, true, false},
	OpSendMiddle:         {"SEND_MIDDLE", KindSend, Middle, 0, PayloadFull, false, false},
	OpSendLast:           {"SEND_LAST", KindSend, Last, 0, PayloadRest, false, false},
	OpSendLastImm:        {"SEND_LAST_WITH_IMMEDIATE", KindSend, Last, HasImmDt, PayloadRest, false, false},
	OpSendOnly:           {"SEND_ONLY", KindSend, Only, 0, PayloadAny, true, false},
	OpSendOnlyImm:        {"SEND_ONLY_WITH_IMMEDIATE", KindSend, Only, HasImmDt, PayloadAny, true, false},
	OpWriteFirst:         {"RDMA_WRITE_FIRST", KindWrite, First, HasRETH, PayloadFull, false, false},
	OpWriteMiddle:        {"RDMA_WRITE_MIDDLE", KindWrite, Middle, 0, PayloadFull, false, false},
	OpWriteLast:          {"RDMA_WRITE_LAST", KindWrite, Last, 0, PayloadRest, false, false},
	OpWriteLastImm:       {"RDMA_WRITE_LAST_WITH_IMMEDIATE", KindWrite, Last, HasImmDt, PayloadRest, true, false},
	OpWriteOnly:          {"RDMA_WRITE_ONLY", KindWrite, Only, HasRETH, PayloadAny, false, false},
	OpWriteOnlyImm:       {"RDMA_WRITE_ONLY_WITH_IMMEDIATE", KindWrite, Only, HasRETH | HasImmDt, PayloadAny, true, false},
	OpReadRequest:        {"RDMA_READ_REQUEST", KindReadRequest, Only, HasRETH, PayloadNone, false, false},
	OpReadResponseFirst:  {"RDMA_READ_RESPONSE_FIRST", KindReadResponse, First, HasAETH, PayloadFull, false, true},
	OpReadResponseMiddle: {"RDMA_READ_RESPONSE_MIDDLE", KindReadResponse, Middle, 0, PayloadFull, false, true},
	OpReadResponseLast:   {"RDMA_READ_RESPONSE_LAST", KindReadResponse, Last, HasAETH, PayloadRest, false, true},
	OpReadResponseOnly:   {"RDMA_READ_RESPONSE_ONLY", KindReadResponse, Only, HasAETH, PayloadAny, false, true},
	OpAck:                {"ACKNOWLEDGE", KindAck, Only, HasAETH, PayloadNone, false, true},
	OpAtomicAck:          {"ATOMIC_ACKNOWLEDGE", KindAtomicAck, Only, HasAETH | HasAtomicAckETH, PayloadNone, false, true},
	OpCompareSwap:        {"COMPARE_SWAP", KindCompareSwap, Only, HasAtomicETH, PayloadNone, false, false},
	OpFetchAdd:           {"FETCH_ADD", KindFetchAdd, Only, HasAtomicETH, PayloadNone, false, false},
	OpSendLastInv:        {"SEND_LAST_WITH_INVALIDATE", KindSend, Last, HasIETH, PayloadRest, false, false},
	OpSendOnlyInv:        {"SEND_ONLY_WITH_INVALIDATE", KindSend, Only, HasIETH, PayloadAny, true, false},

	OpFlush:       {Name: "FLUSH"},
	OpAtomicWrite: {Name: "ATOMIC_WRITE"},
	OpUCSendOnly:  {Name: "UC_SEND_ONLY"},
	OpUDSendOnly:  {Name: "UD_SEND_ONLY"},
	OpUDSendImm:   {Name: "UD_SEND_ONLY_WITH_IMMEDIATE"},
	OpCNP:         {Name: "CNP"},
}

// Info returns the row of the opcode table. An opcode Parse refuses has at most
// a Name in it.
func (o Opcode) Info() Info { return opcodes[o] }

// Known reports whether Parse accepts the opcode.
func (o Opcode) Known() bool { return opcodes[o].Kind != KindNone }

// Kind returns the operation, KindNone for an opcode Parse refuses.
func (o Opcode) Kind() Kind { return opcodes[o].Kind }

// Position returns the place of the packet in its message.
func (o Opcode) Position() Position { return opcodes[o].Position }

// Headers returns the extended headers that follow the BTH.
func (o Opcode) Headers() Headers { return opcodes[o].Headers }

// ConsumesRecv reports whether the packet needs a receive work request at the
// responder: the first packet of a SEND, the last of a WRITE with immediate
// (IBTA vol. 1, 9.4).
func (o Opcode) ConsumesRecv() bool { return opcodes[o].ConsumesRecv }

// IsRequest reports whether the packet travels from requester to responder.
func (o Opcode) IsRequest() bool { return o.Known() && !opcodes[o].Response }

// IsResponse reports whether the packet travels from responder to requester.
func (o Opcode) IsResponse() bool { return opcodes[o].Response }

// CheckPayload returns a *ParseError with ErrPayload if a packet of this opcode
// may not carry n payload bytes under a path MTU. Parse cannot know the MTU, so
// the caller checks; a responder answers with NAK invalid request (9.7.4).
func (o Opcode) CheckPayload(n, mtu int) error {
	if opcodes[o].Payload.Allows(n, mtu) {
		return nil
	}
	return &ParseError{Reason: ErrPayload, Opcode: o, Want: mtu, Got: n}
}

// String returns the name in the specification, such as SEND_FIRST, or
// Opcode(0x1b) where there is none.
func (o Opcode) String() string {
	if name := opcodes[o].Name; name != "" {
		return name
	}
	return fmt.Sprintf("Opcode(0x%02x)", uint8(o))
}
