package steps

import (
	"net/netip"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// A packet belongs to a run by both addresses and the queue pair it is for.
func TestFlowCarries(t *testing.T) {
	f := flow{
		role: Client, qpn: 0x11, peer: 0x22,
		local: netip.MustParseAddr("10.0.0.1"), dest: netip.MustParseAddr("10.0.0.2"),
	}
	for _, c := range []struct {
		src, dst string
		to       verbs.QPN
		want     bool
	}{
		{"10.0.0.1:50000", "10.0.0.2:4791", 0x22, true},
		{"10.0.0.2:50000", "10.0.0.1:4791", 0x11, true},
		{"10.0.0.1:50000", "10.0.0.2:4791", 0x11, false}, // its own number, at the peer
		{"10.0.0.2:50000", "10.0.0.1:4791", 0x22, false},
		{"10.0.0.3:50000", "10.0.0.1:4791", 0x11, false}, // another sender
		{"10.0.0.1:50000", "10.0.0.3:4791", 0x22, false},
		{"10.0.0.1:50000", "10.0.0.2:4791", 1, false},
		{"[fd00::2]:50000", "[fd00::1]:4791", 0x11, false},
	} {
		e := wire.Envelope{Src: netip.MustParseAddrPort(c.src), Dst: netip.MustParseAddrPort(c.dst)}
		if f.carries(&e, c.to) != c.want {
			t.Errorf("%s to %s for %v: %v", c.src, c.dst, c.to, !c.want)
		}
	}
}
