package kernel

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"

	"github.com/vishvananda/netlink"
)

// RouteSource returns the address that the kernel would send from to reach
// dst, and the network device it would send through. To one of the machine's own
// addresses it sends through "lo", from that very address: to choose a GID, go
// by the address. A link-local IPv6 destination needs its zone. Errors carry the
// kernel's errno, such as ENETUNREACH.
func RouteSource(dst netip.Addr) (src netip.Addr, ifname string, err error) {
	fail := func(err error) (netip.Addr, string, error) {
		return netip.Addr{}, "", fmt.Errorf("route to %v: %w", dst, err)
	}
	if !dst.IsValid() {
		return fail(errors.New("not an address"))
	}
	routes, err := netlink.RouteGetWithOptions(dst.Unmap().AsSlice(), routeOptions(dst.Zone()))
	if err != nil {
		return fail(err)
	}
	if len(routes) == 0 {
		return fail(errors.New("the kernel returned none"))
	}
	src, ok := netip.AddrFromSlice(routes[0].Src)
	if !ok {
		return fail(errors.New("it has no source address: the network device has none of that family"))
	}
	link, err := netlink.LinkByIndex(routes[0].LinkIndex)
	if err != nil {
		return fail(err)
	}
	return src.Unmap(), link.Attrs().Name, nil
}

func routeOptions(zone string) *netlink.RouteGetOptions {
	if zone == "" {
		return nil
	}
	if index, err := strconv.Atoi(zone); err == nil {
		return &netlink.RouteGetOptions{OifIndex: index}
	}
	return &netlink.RouteGetOptions{Oif: zone}
}
