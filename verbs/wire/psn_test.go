package wire

import "testing"

func TestPSN(t *testing.T) {
	const top = PSN(PSNMask)
	const half = 1 << 23
	for _, tt := range []struct {
		p    PSN
		n    int
		want PSN
	}{
		{0, 1, 1},
		{top, 1, 0},
		{top, 2, 1},
		{0, -1, top},
		{5, -6, top},
		{0xFFFFFE, 4, 2},
		{7, 1 << 24, 7},
		{7, -(1 << 24), 7},
		{0, half, half},
	} {
		if got := tt.p.Add(tt.n); got != tt.want {
			t.Errorf("%v.Add(%d) = %v, want %v", tt.p, tt.n, got, tt.want)
		}
	}
	for _, tt := range []struct {
		p, q   PSN
		want   int
		before bool
	}{
		{0, 0, 0, false},
		{1, 0, 1, false},
		{0, 1, -1, true},
		{0, top, 1, false},
		{top, 0, -1, true},
		{2, 0xFFFFFE, 4, false},
		{half - 1, 0, half - 1, false},
		{half, 0, -half, true},
		{0, half, -half, true},
		{half + 1, 0, -half + 1, true},
	} {
		if got := tt.p.Sub(tt.q); got != tt.want {
			t.Errorf("%v.Sub(%v) = %d, want %d", tt.p, tt.q, got, tt.want)
		}
		if got := tt.p.Before(tt.q); got != tt.before {
			t.Errorf("%v.Before(%v) = %v, want %v", tt.p, tt.q, got, tt.before)
		}
	}
}

func TestNumbersString(t *testing.T) {
	for got, want := range map[string]string{
		PSN(0xABCD).String():      "0x00abcd",
		QPN(0x12).String():        "0x000012",
		RKey(0x1234567).String():  "0x01234567",
		PKey(0x7FFF).String():     "0x7fff",
		ImmDt(0xBEEF).String():    "0x0000beef",
		ICRC(0x5FBE64FB).String(): "fb64be5f",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestMSN(t *testing.T) {
	if got := MSN(0xFFFFFF).Add(2); got != 1 {
		t.Errorf("Add across the wrap = %d, want 1", got)
	}
	if got := MSN(1).Sub(0xFFFFFF); got != 2 {
		t.Errorf("Sub across the wrap = %d, want 2", got)
	}
}
