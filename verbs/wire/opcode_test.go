package wire

import (
	"errors"
	"testing"
)

// rcOpcodes are all opcodes Parse accepts.
func rcOpcodes() []Opcode {
	var ops []Opcode
	for o := range 256 {
		if Opcode(o).Known() {
			ops = append(ops, Opcode(o))
		}
	}
	return ops
}

// TestOpcodeTable restates the specification column by column: bytes of all
// extended headers, payload rule, receive consumed, direction.
func TestOpcodeTable(t *testing.T) {
	for _, tt := range []struct {
		op       Opcode
		name     string
		headers  int
		payload  PayloadRule
		consumes bool
		request  bool
	}{
		{0x00, "SEND_FIRST", 0, PayloadFull, true, true},
		{0x01, "SEND_MIDDLE", 0, PayloadFull, false, true},
		{0x02, "SEND_LAST", 0, PayloadRest, false, true},
		{0x03, "SEND_LAST_WITH_IMMEDIATE", 4, PayloadRest, false, true},
		{0x04, "SEND_ONLY", 0, PayloadAny, true, true},
		{0x05, "SEND_ONLY_WITH_IMMEDIATE", 4, PayloadAny, true, true},
		{0x06, "RDMA_WRITE_FIRST", 16, PayloadFull, false, true},
		{0x07, "RDMA_WRITE_MIDDLE", 0, PayloadFull, false, true},
		{0x08, "RDMA_WRITE_LAST", 0, PayloadRest, false, true},
		{0x09, "RDMA_WRITE_LAST_WITH_IMMEDIATE", 4, PayloadRest, true, true},
		{0x0A, "RDMA_WRITE_ONLY", 16, PayloadAny, false, true},
		{0x0B, "RDMA_WRITE_ONLY_WITH_IMMEDIATE", 20, PayloadAny, true, true},
		{0x0C, "RDMA_READ_REQUEST", 16, PayloadNone, false, true},
		{0x0D, "RDMA_READ_RESPONSE_FIRST", 4, PayloadFull, false, false},
		{0x0E, "RDMA_READ_RESPONSE_MIDDLE", 0, PayloadFull, false, false},
		{0x0F, "RDMA_READ_RESPONSE_LAST", 4, PayloadRest, false, false},
		{0x10, "RDMA_READ_RESPONSE_ONLY", 4, PayloadAny, false, false},
		{0x11, "ACKNOWLEDGE", 4, PayloadNone, false, false},
		{0x12, "ATOMIC_ACKNOWLEDGE", 12, PayloadNone, false, false},
		{0x13, "COMPARE_SWAP", 28, PayloadNone, false, true},
		{0x14, "FETCH_ADD", 28, PayloadNone, false, true},
		{0x16, "SEND_LAST_WITH_INVALIDATE", 4, PayloadRest, false, true},
		{0x17, "SEND_ONLY_WITH_INVALIDATE", 4, PayloadAny, true, true},
	} {
		o := tt.op
		if !o.Known() || o.String() != tt.name || o.Headers().Len() != tt.headers ||
			o.Info().Payload != tt.payload || o.ConsumesRecv() != tt.consumes ||
			o.IsRequest() != tt.request || o.IsResponse() == tt.request {
			t.Errorf("opcode %#02x: got %v %+v, want %+v", uint8(o), o, o.Info(), tt)
		}
	}
	if n := len(rcOpcodes()); n != 23 {
		t.Errorf("%d opcodes in the table, want 23", n)
	}
}

func TestOpcodePositionFollowsName(t *testing.T) {
	for _, o := range rcOpcodes() {
		starts, ends := o.Position().Starts(), o.Position().Ends()
		switch o.Info().Payload {
		case PayloadFull:
			if ends {
				t.Errorf("%v: a full packet ends no message", o)
			}
		case PayloadRest:
			if starts || !ends {
				t.Errorf("%v: starts %v ends %v, want a last packet", o, starts, ends)
			}
		case PayloadNone, PayloadAny:
			if !starts || !ends {
				t.Errorf("%v: starts %v ends %v, want an only packet", o, starts, ends)
			}
		}
	}
}

func TestOpcodeString(t *testing.T) {
	for o, want := range map[Opcode]string{
		0x1B: "Opcode(0x1b)",
		0x15: "Opcode(0x15)",
		0xFF: "Opcode(0xff)",
		0x1C: "FLUSH",
		0x1D: "ATOMIC_WRITE",
		0x64: "UD_SEND_ONLY",
		0x65: "UD_SEND_ONLY_WITH_IMMEDIATE",
		0x81: "CNP",
	} {
		if o.String() != want || o.Known() || o.IsRequest() || o.IsResponse() || o.Kind() != KindNone {
			t.Errorf("opcode %#02x: %v, known %v; want the name %s only", uint8(o), o, o.Known(), want)
		}
	}
}

func TestCheckPayload(t *testing.T) {
	const mtu = 1024
	for _, tt := range []struct {
		op Opcode
		n  int
		ok bool
	}{
		{OpSendFirst, mtu, true},
		{OpSendFirst, mtu - 1, false},
		{OpSendFirst, mtu + 1, false},
		{OpWriteMiddle, 0, false},
		{OpSendLast, 0, false},
		{OpSendLast, 1, true},
		{OpSendLast, mtu, true},
		{OpSendLast, mtu + 1, false},
		{OpSendOnly, 0, true},
		{OpSendOnly, mtu, true},
		{OpSendOnly, mtu + 1, false},
		{OpAck, 0, true},
		{OpAck, 1, false},
	} {
		err := tt.op.CheckPayload(tt.n, mtu)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrPayload) {
			t.Errorf("%v.CheckPayload(%d): %v, want ok %v", tt.op, tt.n, err, tt.ok)
		}
	}
	const want = "SEND_LAST: payload size does not fit the opcode: 0 bytes, want 1 byte to the path MTU (1024)"
	if err := OpSendLast.CheckPayload(0, mtu); err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}
