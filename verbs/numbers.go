package verbs

import (
	"fmt"
	"net/netip"

	"ibtour/verbs/wire"
)

// The numbers that travel in packets are defined by the codec.
type (
	// PSN is a packet sequence number, 24 bits.
	PSN = wire.PSN
	// QPN is a queue pair number, 24 bits.
	QPN = wire.QPN
	// RKey is the key a peer presents to reach a memory region.
	RKey = wire.RKey
)

// LKey is the key the program itself presents for a memory region. It never
// leaves the host (IBTA vol. 1, 10.6.3).
type LKey uint32

// String returns the key in hexadecimal.
func (k LKey) String() string { return fmt.Sprintf("0x%08x", uint32(k)) }

// QKey guards a datagram queue pair (IBTA vol. 1, 10.2.5).
type QKey uint32

// String returns the key in hexadecimal.
func (k QKey) String() string { return fmt.Sprintf("0x%08x", uint32(k)) }

// LID is the address a subnet manager gives to an InfiniBand port. On
// Ethernet ports it is 0 and means nothing (IBTA vol. 1, 4.1.1).
type LID uint16

// String returns the LID as ibv_rc_pingpong prints it.
func (l LID) String() string { return fmt.Sprintf("0x%04x", uint16(l)) }

// GUID is a 64-bit device identifier (EUI-64), in host order.
type GUID uint64

// String returns the GUID in four groups, as ibv_devinfo prints it.
func (g GUID) String() string {
	return fmt.Sprintf("%04x:%04x:%04x:%04x", uint16(g>>48), uint16(g>>32), uint16(g>>16), uint16(g))
}

// GID is a 128-bit global identifier: an IPv6 address in form. On RoCE v2 it
// is the IP address of the port, IPv4 as ::ffff:a.b.c.d (IBTA vol. 1, 4.1.1
// and annex A17).
type GID [16]byte

// String returns the GID as an IPv6 address. An IPv4-mapped one is written
// ::ffff:a.b.c.d, as ibv_rc_pingpong does.
func (g GID) String() string { return netip.AddrFrom16(g).String() }

// IsZero reports whether the table slot of this GID is empty.
func (g GID) IsZero() bool { return g == GID{} }

// Addr returns the IP address a RoCE v2 GID stands for: IPv4 where mapped.
func (g GID) Addr() netip.Addr { return netip.AddrFrom16(g).Unmap() }

// GIDOf returns the RoCE v2 GID of an IP address.
func GIDOf(a netip.Addr) GID { return a.As16() }
