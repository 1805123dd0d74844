package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestFieldsTile checks for every opcode that the fields cover the packet bit
// by bit, without gap or overlap, and carry what a reader needs.
func TestFieldsTile(t *testing.T) {
	for _, op := range rcOpcodes() {
		for _, n := range payloads(op) {
			p := sample(op, n)
			b := p.Append(nil)
			bit := 0
			for _, f := range p.Fields() {
				if f.Bit != bit || f.Bits < 1 {
					t.Errorf("%v %s %s: bits %d+%d, want start %d", op, f.Header, f.Name, f.Bit, f.Bits, bit)
				}
				bit += f.Bits
				if !bytes.Equal(f.Bytes, b[f.Offset():f.Offset()+f.Len()]) {
					t.Errorf("%v %s: bytes %x", op, f.Name, f.Bytes)
				}
				if f.Value == "" || f.Section == "" || strings.Contains(f.Value+f.Meaning, "%!") {
					t.Errorf("%v: incomplete field %+v", op, f)
				}
			}
			if bit != 8*len(b) {
				t.Errorf("%v with %d: fields cover %d bits of %d", op, n, bit, 8*len(b))
			}
		}
	}
}

// find returns the field of a header by name.
func find(t *testing.T, fields []Field, header, name string) Field {
	t.Helper()
	for _, f := range fields {
		if f.Header == header && f.Name == name {
			return f
		}
	}
	t.Fatalf("no field %s %s", header, name)
	return Field{}
}

func TestFieldValues(t *testing.T) {
	nak := Packet{
		BTH:  BTH{Opcode: OpAck, PKey: 0x7FFF, DestQP: 0x11, PSN: 0xFFFFFF},
		AETH: AETH{Syndrome: RNRNAK(12), MSN: 7},
	}
	add := sample(OpFetchAdd, 0)
	for _, tt := range []struct {
		p                            Packet
		header, name, value, meaning string
	}{
		{sendOnly(), "BTH", "Opcode", "0x04", "SEND_ONLY: only packet of SEND"},
		{sendOnly(), "BTH", "MigReq (M)", "1", "path is in the migrated state"},
		{sendOnly(), "BTH", "PadCount", "3", "last 3 bytes before the ICRC are no data"},
		{sendOnly(), "BTH", "P_Key", "0xffff", "default partition, full member"},
		{sendOnly(), "BTH", "DestQP", "0x000012", "queue pair at the receiver"},
		{sendOnly(), "BTH", "AckReq (A)", "1", "please acknowledge"},
		{sendOnly(), "BTH", "PSN", "0x00abcd", "number of this packet"},
		{sendOnly(), "Payload", "Payload", "13 bytes", "data of the message; the opcode allows 0 bytes to the path MTU"},
		{sendOnly(), "Pad", "Pad", "3 bytes", "fills the payload up to a multiple of 4 bytes"},
		{nak, "BTH", "P_Key", "0x7fff", "limited member of the partition"},
		{nak, "BTH", "PSN", "0xffffff", "the request packet the responder refuses or waits for"},
		{nak, "AETH", "Syndrome", "0x2c", "RNR NAK, wait 640µs"},
		{nak, "AETH", "MSN", "7", "messages the responder has completed"},
		{add, "AtomicETH", "Swap/Add Data", "0x0000000000000030", "added to the remote word"},
		{add, "AtomicETH", "Virtual Address", "0x2122232425262728", "remote 8-byte word"},
		{sample(OpSendOnlyImm, 0), "ImmDt", "Immediate Data", "0x51525354", "goes into the receiver's work completion"},
		{sample(OpSendOnlyInv, 0), "IETH", "R_Key", "0x61626364", "key the receiver makes void"},
		{sample(OpAck, 0), "ICRC", "ICRC", "78563412", "CRC-32 over all that routers leave alone"},
	} {
		f := find(t, tt.p.Fields(), tt.header, tt.name)
		if f.Value != tt.value || f.Meaning != tt.meaning {
			t.Errorf("%s %s: %q %q, want %q %q", tt.header, tt.name, f.Value, f.Meaning, tt.value, tt.meaning)
		}
	}
}

func TestDescribeRefused(t *testing.T) {
	fields, err := Describe(unhex(t, "8100ffff4000011800000000"))
	if !errors.Is(err, ErrOpcode) || len(fields) != len(bthSpecs) {
		t.Errorf("CNP: %d fields, %v", len(fields), err)
	}
	if f := find(t, fields, "BTH", "BECN (B)"); f.Value != "1" {
		t.Errorf("BECN %q, want 1", f.Value)
	}
	if f := find(t, fields, "BTH", "Opcode"); f.Meaning != "CNP" {
		t.Errorf("opcode means %q, want CNP", f.Meaning)
	}
	if fields, err := Describe([]byte{4, 0, 0xFF}); fields != nil || !errors.Is(err, ErrTruncated) {
		t.Errorf("3 bytes: %v, %v", fields, err)
	}
}
