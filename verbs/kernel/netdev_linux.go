package kernel

import (
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// ReadNetdev returns a network device of this network namespace. The error
// wraps verbs.ErrNoDevice when there is none of that name.
func ReadNetdev(name string) (Netdev, error) {
	link, err := netlink.LinkByName(name)
	if missing := (netlink.LinkNotFoundError{}); errors.As(err, &missing) {
		return Netdev{}, fmt.Errorf("network device %q: %w", name, verbs.ErrNoDevice)
	}
	if err != nil {
		return Netdev{}, fmt.Errorf("network device %q: %w", name, err)
	}
	a := link.Attrs()
	d := Netdev{
		Name: a.Name, Index: a.Index, MTU: a.MTU,
		Up: a.Flags&net.FlagUp != 0, Carrier: a.RawFlags&unix.IFF_LOWER_UP != 0,
		OperState: a.OperState.String(), MAC: a.HardwareAddr,
	}
	if s := a.Statistics; s != nil {
		d.Counters = NetdevCounters{
			RxPackets: s.RxPackets, TxPackets: s.TxPackets, RxBytes: s.RxBytes, TxBytes: s.TxBytes,
			RxDropped: s.RxDropped, TxDropped: s.TxDropped, RxErrors: s.RxErrors, TxErrors: s.TxErrors,
		}
	}
	addrs, err := netlink.AddrList(link, netlink.FAMILY_ALL)
	if err != nil {
		return Netdev{}, fmt.Errorf("addresses of network device %q: %w", name, err)
	}
	for _, a := range addrs {
		d.Addrs = append(d.Addrs, prefix(a.IPNet))
	}
	return d, nil
}

func prefix(n *net.IPNet) netip.Prefix {
	addr, _ := netip.AddrFromSlice(n.IP)
	bits, _ := n.Mask.Size()
	return netip.PrefixFrom(addr.Unmap(), bits)
}
