package wire

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"
)

// unhex decodes hexadecimal text written in groups.
func unhex(tb testing.TB, groups ...string) []byte {
	tb.Helper()
	var out []byte
	for _, g := range groups {
		b, err := hex.DecodeString(g)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, b...)
	}
	return out
}

// header is what every header type has.
type header interface {
	comparable
	Append([]byte) []byte
	Len() int
}

// checkHeader parses text, expects want, every truncation refused, and the same
// bytes back.
func checkHeader[H header](t *testing.T, parse func([]byte) (H, error), text string, want H) {
	t.Helper()
	b := unhex(t, text)
	got, err := parse(b)
	if err != nil || got != want {
		t.Errorf("parse %s: %+v, %v; want %+v", text, got, err, want)
	}
	if got, err = parse(append(b[:len(b):len(b)], 0xEE)); err != nil || got != want {
		t.Errorf("parse with a byte behind: %+v, %v; want %+v", got, err, want)
	}
	var zero H
	for i := range b {
		got, err := parse(b[:i:i])
		var pe *ParseError
		if !errors.As(err, &pe) || pe.Reason != ErrTruncated || pe.Want != len(b) || pe.Got != i || pe.Header == "" {
			t.Errorf("parse of %d bytes: %v, want truncated", i, err)
		}
		if got != zero {
			t.Errorf("parse of %d bytes: %+v, want the zero value", i, got)
		}
	}
	if out := want.Append([]byte{0xAA}); !bytes.Equal(out, append([]byte{0xAA}, b...)) {
		t.Errorf("append: %x, want aa%s", out, text)
	}
	if want.Len() != len(b) {
		t.Errorf("len %d, want %d", want.Len(), len(b))
	}
}

func TestBTH(t *testing.T) {
	checkHeader(t, ParseBTH, "0470ffff000000128000abcd", BTH{
		Opcode: OpSendOnly, MigReq: true, PadCount: 3, PKey: 0xFFFF, DestQP: 0x12, AckReq: true, PSN: 0xABCD,
	})
	checkHeader(t, ParseBTH, "818012348000000100000002", BTH{
		Opcode: OpCNP, Solicited: true, PKey: 0x1234, FECN: true, DestQP: 1, PSN: 2,
	})
	checkHeader(t, ParseBTH, "110fffff7f12345655fedcba", BTH{
		Opcode: OpAck, TVer: 15, PKey: 0xFFFF, BECN: true, Resv6: 63, DestQP: 0x123456, Resv7: 0x55, PSN: 0xFEDCBA,
	})
}

func TestBTHKeepsFieldsApart(t *testing.T) {
	h := BTH{PadCount: 0xFC, TVer: 0xF0, Resv6: 0xC0, DestQP: 0xFF000000, Resv7: 0x80, PSN: 0xFF000000}
	if got := h.Append(nil); !bytes.Equal(got, make([]byte, BTHLen)) {
		t.Errorf("got %x: bits left their fields", got)
	}
}

func TestRETH(t *testing.T) {
	checkHeader(t, ParseRETH, "00007f00000010000123456700001000",
		RETH{VA: 0x7F0000001000, RKey: 0x01234567, DMALen: 4096})
}

func TestAtomicETH(t *testing.T) {
	checkHeader(t, ParseAtomicETH, "00007f0000001008"+"89abcdef"+"0102030405060708"+"1112131415161718",
		AtomicETH{VA: 0x7F0000001008, RKey: 0x89ABCDEF, SwapAdd: 0x0102030405060708, Compare: 0x1112131415161718})
}

func TestAETH(t *testing.T) {
	checkHeader(t, ParseAETH, "1f000001", AETH{Syndrome: ACKNoCredits, MSN: 1})
	checkHeader(t, ParseAETH, "60fffffe", AETH{Syndrome: NAK(NAKSequence), MSN: 0xFFFFFE})
}

func TestAtomicAckETH(t *testing.T) {
	checkHeader(t, ParseAtomicAckETH, "fedcba9876543210", AtomicAckETH{Orig: 0xFEDCBA9876543210})
}

func TestImmDt(t *testing.T) {
	checkHeader(t, ParseImmDt, "deadbeef", ImmDt(0xDEADBEEF))
}

func TestIETH(t *testing.T) {
	checkHeader(t, ParseIETH, "00c0ffee", IETH{RKey: 0x00C0FFEE})
}
