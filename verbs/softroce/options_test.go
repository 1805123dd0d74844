package softroce_test

import (
	"net/netip"
	"strings"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

func TestParseName(t *testing.T) {
	for _, c := range []struct {
		in   string
		want softroce.Options
		ours bool
		bad  string
	}{
		{in: "soft0", want: softroce.Options{Name: "soft0"}, ours: true},
		{in: "soft0?quirks=rxe", want: softroce.Options{Name: "soft0", Quirks: softroce.QuirksRXE}, ours: true},
		{
			in:   "soft0?addr=127.0.0.2&mtu=4096",
			want: softroce.Options{Name: "soft0", Addr: netip.MustParseAddr("127.0.0.2"), MTU: verbs.MTU4096}, ours: true,
		},
		{in: "rxe0"},
		{in: "soft01"},
		{in: "soft0?quirks=mlx5", ours: true, bad: "want rxe"},
		{in: "soft0?color=red", ours: true, bad: "unknown option"},
		{in: "soft0?addr=here", ours: true, bad: "ParseAddr"},
		{in: "soft0?mtu=1500", ours: true, bad: "want 256"},
	} {
		got, ours, err := softroce.ParseName(c.in)
		if ours != c.ours || (err != nil) != (c.bad != "") || err != nil && !strings.Contains(err.Error(), c.bad) {
			t.Errorf("%q: %v, %v", c.in, ours, err)
		}
		if c.bad == "" && (got.Name != c.want.Name || got.Quirks != c.want.Quirks || got.Addr != c.want.Addr || got.MTU != c.want.MTU) {
			t.Errorf("%q: %+v", c.in, got)
		}
	}
}
