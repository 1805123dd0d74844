package verbs_test

import (
	"net/netip"
	"testing"

	"ibtour/verbs"
)

func TestNumberText(t *testing.T) {
	for want, got := range map[string]string{
		"0x00000842":          verbs.LKey(0x842).String(),
		"0xffffffff":          verbs.RKey(1<<32 - 1).String(),
		"0x11111111":          verbs.QKey(0x11111111).String(),
		"0x0001":              verbs.LID(1).String(),
		"0x00abcd":            verbs.PSN(0xABCD).String(),
		"0xffffff":            verbs.QPN(1<<24 - 1).String(),
		"0002:c903:0000:1234": verbs.GUID(0x0002c90300001234).String(),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A PSN counts modulo 2^24; the half before another is 2^23 wide.
func TestPSNArithmetic(t *testing.T) {
	const last = verbs.PSN(1<<24 - 1)
	for _, c := range []struct {
		p    verbs.PSN
		n    int
		want verbs.PSN
	}{
		{last, 1, 0},
		{0, -1, last},
		{last, 1 << 24, last},
		{0, 1 << 23, 1 << 23},
		{5, -1 << 24, 5},
		{last, 2, 1},
		{1, -3, last - 1},
		{0, 0, 0},
	} {
		if got := c.p.Add(c.n); got != c.want {
			t.Errorf("%v + %d is %v, want %v", c.p, c.n, got, c.want)
		}
	}
	for _, c := range []struct {
		p, q verbs.PSN
		want int
	}{
		{0, last, 1}, {last, 0, -1}, {1 << 23, 0, -1 << 23}, {1<<23 - 1, 0, 1<<23 - 1}, {7, 7, 0}, {0, 1 << 23, -1 << 23},
	} {
		if got := c.p.Sub(c.q); got != c.want || c.p.Before(c.q) != (c.want < 0) {
			t.Errorf("%v - %v is %d, before %v, want %d", c.p, c.q, got, c.p.Before(c.q), c.want)
		}
	}
}

func TestGID(t *testing.T) {
	for _, c := range []struct{ addr, gid string }{
		{"192.0.2.1", "::ffff:192.0.2.1"},
		{"::ffff:192.0.2.1", "::ffff:192.0.2.1"},
		{"fe80::1", "fe80::1"},
		{"fe80::1%eth0", "fe80::1"},
		{"2001:db8::1", "2001:db8::1"},
		{"255.255.255.255", "::ffff:255.255.255.255"},
	} {
		a := netip.MustParseAddr(c.addr)
		g := verbs.GIDOf(a)
		if g.String() != c.gid || g.IsZero() {
			t.Errorf("the GID of %s is %v, want %s", c.addr, g, c.gid)
		}
		if back := g.Addr(); back != a.Unmap().WithZone("") {
			t.Errorf("%v stands for %v, want %s", g, back, c.addr)
		}
	}
	var zero verbs.GID
	if !zero.IsZero() || zero.String() != "::" || verbs.GIDOf(netip.Addr{}) != zero {
		t.Errorf("the empty GID is %v", zero)
	}
}
