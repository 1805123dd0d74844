package wire

import "testing"

func TestCredits(t *testing.T) {
	want := []int{
		0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024,
		1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768,
	}
	for code, n := range want {
		got, ok := Syndrome(code).Credits()
		if !ok || got != n {
			t.Errorf("code %d: %d, %v; want %d", code, got, ok, n)
		}
		if s := ACK(n); s != Syndrome(code) {
			t.Errorf("ACK(%d) = %#02x, want code %d", n, uint8(s), code)
		}
		if s := ACK(n + 1); code > 4 && s != Syndrome(code) {
			t.Errorf("ACK(%d) = %#02x, want code %d rounded down", n+1, uint8(s), code)
		}
	}
	for s := 0x1F; s < 256; s++ {
		if n, ok := Syndrome(s).Credits(); ok || n != 0 {
			t.Errorf("syndrome %#02x: %d credits, want none", s, n)
		}
	}
	if s := ACK(-1); s != 0 {
		t.Errorf("ACK(-1) = %#02x, want 0", uint8(s))
	}
}

func TestSyndrome(t *testing.T) {
	for _, tt := range []struct {
		s    Syndrome
		b    uint8
		kind SyndromeKind
		text string
	}{
		{ACKNoCredits, 0x1F, SyndromeACK, "ACK, no credit information"},
		{ACK(7), 0x05, SyndromeACK, "ACK, 6 credits"},
		{ACK(0), 0x00, SyndromeACK, "ACK, 0 credits"},
		{RNRNAK(12), 0x2C, SyndromeRNR, "RNR NAK, wait 640µs"},
		{RNRNAK(0), 0x20, SyndromeRNR, "RNR NAK, wait 655.36ms"},
		{NAK(NAKSequence), 0x60, SyndromeNAK, "NAK, PSN sequence error"},
		{NAK(NAKInvalidRequest), 0x61, SyndromeNAK, "NAK, invalid request"},
		{NAK(NAKRemoteAccess), 0x62, SyndromeNAK, "NAK, remote access error"},
		{NAK(NAKRemoteOperational), 0x63, SyndromeNAK, "NAK, remote operational error"},
		{NAK(NAKInvalidRD), 0x64, SyndromeNAK, "NAK, invalid RD request"},
		{NAK(5), 0x65, SyndromeNAK, "NAK, NAKCode(5)"},
		{0x40, 0x40, 2, "Syndrome(0x40)"},
		{0x80, 0x80, 4, "Syndrome(0x80)"},
	} {
		if uint8(tt.s) != tt.b || tt.s.Kind() != tt.kind || tt.s.String() != tt.text {
			t.Errorf("got %#02x %v %q, want %#02x %v %q",
				uint8(tt.s), tt.s.Kind(), tt.s, tt.b, tt.kind, tt.text)
		}
	}
	if got := RNRNAK(25).RNRTimer(); got != 25 {
		t.Errorf("RNR timer %d, want 25", got)
	}
	if got := NAK(NAKRemoteAccess).NAKCode(); got != NAKRemoteAccess {
		t.Errorf("NAK code %v, want remote access error", got)
	}
}
