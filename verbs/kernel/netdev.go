package kernel

import (
	"net"
	"net/netip"
)

// Netdev is a network device, such as the one under a RoCE port.
type Netdev struct {
	Name  string
	Index int
	// MTU is the largest IP packet in bytes.
	MTU int
	// Up tells that it was switched on, Carrier that its cable has a signal.
	Up, Carrier bool
	// OperState is the state of RFC 2863 as ip(8) shows it: "up", "down",
	// "lower-layer-down", "unknown" and others.
	OperState string
	MAC       net.HardwareAddr
	// Addrs are its IPv4 and IPv6 addresses with the length of their prefix.
	Addrs    []netip.Prefix
	Counters NetdevCounters
}

// NetdevCounters count the traffic of a network device. RoCE traffic appears
// here only where it passes the kernel's network stack, as with Soft-RoCE;
// adapters bypass it.
type NetdevCounters struct {
	RxPackets, TxPackets uint64
	RxBytes, TxBytes     uint64
	RxDropped, TxDropped uint64
	RxErrors, TxErrors   uint64
}
