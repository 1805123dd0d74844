package softroce

import (
	"cmp"
	"net"
	"net/netip"
	"slices"

	"ibtour/verbs"
)

// gid is an entry of the GID table: a local address and its interface.
type gid struct {
	addr    netip.Addr // with zone if link-local
	ifindex int
}

func (g gid) value() verbs.GID { return verbs.GIDOf(g.addr.WithZone("")) }

// gidTable returns the addresses of this host, or the only one to be used.
func gidTable(only netip.Addr) []gid {
	table := hostGIDs()
	if !only.IsValid() {
		if len(table) == 0 {
			table = []gid{{addr: netip.AddrFrom4([4]byte{127, 0, 0, 1})}}
		}
		return table
	}
	only = only.Unmap()
	for _, g := range table {
		if g.addr.WithZone("") == only.WithZone("") {
			return []gid{g}
		}
	}
	return []gid{{addr: only}} // 127.0.0.2 is local without being listed
}

// hostGIDs lists the addresses of the interfaces that are up. What a peer is
// most likely to reach comes first: a program that takes index 0 should work.
func hostGIDs() []gid {
	ifaces, err := net.Interfaces()
	if err != nil {
		return nil
	}
	var table []gid
	for _, ifc := range ifaces {
		if ifc.Flags&net.FlagUp == 0 {
			continue
		}
		addrs, err := ifc.Addrs()
		if err != nil {
			continue
		}
		for _, a := range addrs {
			if g, ok := gidOf(ifc, a); ok {
				table = append(table, g)
			}
		}
	}
	slices.SortStableFunc(table, func(a, b gid) int { return cmp.Compare(a.rank(), b.rank()) })
	return table
}

func gidOf(ifc net.Interface, a net.Addr) (gid, bool) {
	prefix, err := netip.ParsePrefix(a.String())
	if err != nil {
		return gid{}, false
	}
	addr := prefix.Addr().Unmap()
	if addr.IsLinkLocalUnicast() && addr.Is6() {
		addr = addr.WithZone(ifc.Name)
	}
	return gid{addr: addr, ifindex: ifc.Index}, true
}

// rank orders the table: IPv4, IPv6, link-local, loopback.
func (g gid) rank() int {
	switch {
	case g.addr.IsLoopback() && g.addr.Is4():
		return 3
	case g.addr.IsLoopback():
		return 4
	case g.addr.IsLinkLocalUnicast():
		return 2
	case g.addr.Is6():
		return 1
	}
	return 0
}

// isLocal reports whether a GID is one of this device.
func (d *device) isLocal(g verbs.GID) bool {
	return slices.ContainsFunc(d.gids, func(e gid) bool { return e.value() == g })
}
