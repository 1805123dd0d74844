package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

// sample returns a packet of the opcode with n payload bytes and a different
// value in every field the opcode has.
func sample(op Opcode, n int) Packet {
	p := Packet{
		BTH: BTH{
			Opcode: op, Solicited: true, MigReq: true, PadCount: uint8(padLen(n)), PKey: 0x8001,
			BECN: true, Resv6: 5, DestQP: 0x123456, AckReq: true, Resv7: 9, PSN: 0xFFFFFE,
		},
		Payload: make([]byte, n),
		ICRC:    0x12345678,
	}
	for i := range p.Payload {
		p.Payload[i] = byte(i*7 + 1)
	}
	h := op.Headers()
	if h.Has(HasRETH) {
		p.RETH = RETH{VA: 0x1122334455667788, RKey: 0x99AABBCC, DMALen: 0xDDEEFF01}
	}
	if h.Has(HasAtomicETH) {
		p.AtomicETH = AtomicETH{VA: 0x2122232425262728, RKey: 0x29, SwapAdd: 0x30, Compare: 0x31}
	}
	if h.Has(HasAETH) {
		p.AETH = AETH{Syndrome: 0x63, MSN: 0xABCDEF}
	}
	if h.Has(HasAtomicAckETH) {
		p.AtomicAckETH = AtomicAckETH{Orig: 0x4142434445464748}
	}
	if h.Has(HasImmDt) {
		p.ImmDt = 0x51525354
	}
	if h.Has(HasIETH) {
		p.IETH = IETH{RKey: 0x61626364}
	}
	return p
}

// payloads are the payload sizes worth trying with an opcode.
func payloads(op Opcode) []int {
	switch op.Info().Payload {
	case PayloadNone:
		return []int{0}
	case PayloadFull:
		return []int{256, 4096}
	case PayloadRest:
		return []int{1, 2, 3, 4, 1023}
	case PayloadAny:
		return []int{0, 1, 2, 3, 4, 5, 1024}
	}
	return nil
}

func TestPacketRoundTrip(t *testing.T) {
	for _, op := range rcOpcodes() {
		for _, n := range payloads(op) {
			want := sample(op, n)
			b := want.Append([]byte{0xAA})
			if b[0] != 0xAA || len(b)-1 != want.Len() || want.Len()%4 != 0 {
				t.Errorf("%v with %d: wrote %d bytes, Len is %d", op, n, len(b)-1, want.Len())
			}
			got, err := Parse(b[1:])
			if err != nil {
				t.Errorf("%v with %d: %v", op, n, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v with %d: got %+v, want %+v", op, n, got, want)
			}
			if again := got.Append([]byte{0xAA}); !bytes.Equal(again, b) {
				t.Errorf("%v with %d: wrote %x, then %x", op, n, b, again)
			}
		}
	}
}

// TestPacketHeaderOrder pins where headers stand when an opcode has two.
func TestPacketHeaderOrder(t *testing.T) {
	write := sample(OpWriteOnlyImm, 2)
	want := "0be08001" + "45123456" + "89fffffe" +
		"1122334455667788" + "99aabbcc" + "ddeeff01" + "51525354" + "0108" + "0000" + "78563412"
	if got := write.Append(nil); !bytes.Equal(got, unhex(t, want)) {
		t.Errorf("got %x, want %s", got, want)
	}
	ack := sample(OpAtomicAck, 0)
	want = "12c08001" + "45123456" + "89fffffe" + "63abcdef" + "4142434445464748" + "78563412"
	if got := ack.Append(nil); !bytes.Equal(got, unhex(t, want)) {
		t.Errorf("got %x, want %s", got, want)
	}
}

func TestPacketTruncated(t *testing.T) {
	for _, op := range rcOpcodes() {
		for _, n := range []int{0, 1, 3, 4} {
			p := sample(op, n)
			whole := p.Append(nil)
			for i := range whole {
				got, err := Parse(whole[:i:i])
				least := BTHLen + op.Headers().Len() + padLen(n) + ICRCLen
				switch {
				case i < least:
					if !errors.Is(err, ErrTruncated) {
						t.Errorf("%v, %d of %d bytes: %v, want truncated", op, i, len(whole), err)
					}
				case i%4 != 0:
					if !errors.Is(err, ErrPad) {
						t.Errorf("%v, %d of %d bytes: %v, want a pad error", op, i, len(whole), err)
					}
				case err != nil || len(got.Payload) != i-least:
					t.Errorf("%v, %d of %d bytes: %d payload, %v", op, i, len(whole), len(got.Payload), err)
				}
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct {
		name, packet string
		reason       Reason
		text         string
	}{
		{"empty", "", ErrTruncated, "BTH: packet is truncated: 0 bytes, want at least 12"},
		{"no icrc", "0400ffff0000001200000001", ErrTruncated, "SEND_ONLY: packet is truncated: 12 bytes, want at least 16"},
		{"no reth", "0c00ffff000000120000000100000000", ErrTruncated, "RDMA_READ_REQUEST: packet is truncated: 16 bytes, want at least 32"},
		{"pad into header", "0430ffff000000120000000100000000", ErrTruncated, "SEND_ONLY: packet is truncated: 16 bytes, want at least 19"},
		{"reserved", "1500ffff000000120000000100000000", ErrOpcode, "Opcode(0x15): opcode is not supported"},
		{"datagram", "6400ffff000000120000000100000000", ErrOpcode, "UD_SEND_ONLY: opcode is not supported"},
		{"version", "0401ffff000000120000000100000000", ErrVersion, "SEND_ONLY: transport header version is not 0 but 1"},
		{"odd length", "0400ffff000000120000000100000000ff", ErrPad, "SEND_ONLY: payload and pad are no multiple of 4 bytes but 1"},
	} {
		_, err := Parse(unhex(t, tt.packet))
		var pe *ParseError
		if !errors.Is(err, tt.reason) || !errors.As(err, &pe) || err.Error() != tt.text {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.text)
		}
	}
	if got := Reason(99).Error(); got != "Reason(99)" {
		t.Errorf("unknown reason: %s", got)
	}
}

func TestParseKeepsPad(t *testing.T) {
	b := unhex(t, "0420ffff0000001200000001", "ab01cd02", "00000000")
	p, err := Parse(b)
	if err != nil || !bytes.Equal(p.Payload, []byte{0xAB, 0x01}) || p.Pad != [3]byte{0xCD, 0x02} {
		t.Errorf("payload %x, pad %x, %v", p.Payload, p.Pad, err)
	}
	if got := p.Append(nil); !bytes.Equal(got, b) {
		t.Errorf("wrote %x, want %x", got, b)
	}
}

func TestPayloadCannotGrowIntoPacket(t *testing.T) {
	s := sample(OpSendOnly, 5)
	b := s.Append(nil)
	want := bytes.Clone(b)
	p, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(p.Payload, 0xFF, 0xFF)
	if !bytes.Equal(b, want) {
		t.Error("appending to Payload wrote into the packet")
	}
}

func TestAppendUnknownOpcode(t *testing.T) {
	p := Packet{BTH: BTH{Opcode: OpCNP, BECN: true}, RETH: RETH{VA: 1}, Payload: make([]byte, 16)}
	if b := p.Append(nil); len(b) != 32 || len(b) != p.Len() || b[0] != 0x81 || b[4] != 0x40 {
		t.Errorf("got %x", b)
	}
}
