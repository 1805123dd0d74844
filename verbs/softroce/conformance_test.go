package softroce_test

import (
	"net"
	"net/netip"
	"testing"
	"testing/synctest"

	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

// inBubble runs a case on a clock that does not wait.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

func TestConformance(t *testing.T) {
	d := softroce.New(softroce.Options{})
	verbstest.Conformance(t, d, softroce.DefaultName, verbstest.Caps{Run: inBubble})
}

func TestConformanceQuirksRXE(t *testing.T) {
	d := softroce.New(softroce.Options{Quirks: softroce.QuirksRXE})
	verbstest.Conformance(t, d, softroce.DefaultName, verbstest.Caps{Run: inBubble, RXE: true})
}

// TestConformanceOverUDP has the ends on two addresses, and a real clock.
func TestConformanceOverUDP(t *testing.T) {
	verbstest.Conformance(t, onAddr("127.0.0.1"), softroce.DefaultName, verbstest.Caps{Peer: onAddr("127.0.0.2")})
}

func TestConformanceOverUDP6(t *testing.T) {
	a, b := onAddr("::1"), softroce.New(softroce.Options{Addr: ipv6Other(t)})
	verbstest.Conformance(t, a, softroce.DefaultName, verbstest.Caps{Peer: b})
}

// ipv6Other returns an IPv6 address of this host that is not ::1.
func ipv6Other(t *testing.T) netip.Addr {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		p, err := netip.ParsePrefix(a.String())
		if err == nil && p.Addr().Is6() && p.Addr().IsGlobalUnicast() {
			return p.Addr()
		}
	}
	t.Skip("the host has no second IPv6 address; the lab has (TestLabConformanceOverUDP6)")
	return netip.Addr{}
}
