//go:build !linux

package kernel

import (
	"errors"
	"net/netip"
	"testing"
)

func TestUnsupported(t *testing.T) {
	_, resources := ReadResources("rxe0", 0)
	_, process := ReadProcess(1)
	_, counters := ReadPortCounters(nil, "rxe0", 1)
	_, netdev := ReadNetdev("v0")
	_, _, route := RouteSource(netip.IPv6Loopback())
	_, driver := ReadDriver("rxe0")
	for i, err := range []error{driver, resources, process, counters, netdev, route} {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("function %d: %v", i, err)
		}
	}
}
