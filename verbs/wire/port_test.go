package wire

import "testing"

func TestSourcePort(t *testing.T) {
	for _, tt := range []struct {
		label         uint32
		local, remote QPN
		want          uint16
	}{
		{0, 0x11, 0x12, 0xC132},
		{0, 0x12, 0x11, 0xC132},
		{0, 0x123456, 0x654321, 0xF787},
		{0, 0x654321, 0x123456, 0xF787},
		{0x00001, 0x11, 0x12, 0xC001},
		{0xFFFFF, 0x11, 0x12, 0xFFC0},
		{0xFC000, 0x11, 0x12, 0xC03F},
		{0x100000, 0x11, 0x12, 0xC132}, // bit 20 is no part of a label
	} {
		if got := SourcePortFor(tt.label, tt.local, tt.remote); got != tt.want {
			t.Errorf("label %#x QPNs %v %v: %#x, want %#x", tt.label, tt.local, tt.remote, got, tt.want)
		}
	}
	for label := range uint32(1 << flowLabelBits) {
		if p := SourcePort(label); p < 0xC000 {
			t.Fatalf("label %#x: port %#x is below 0xC000", label, p)
		}
	}
}
