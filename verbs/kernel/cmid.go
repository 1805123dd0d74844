package kernel

import (
	"encoding/binary"
	"fmt"
	"net/netip"

	"ibtour/verbs"
)

// CMID is a connection identifier (rdma_create_id).
type CMID struct {
	Owner
	CMIDN ID
	// Port is 0 while it is bound to no device.
	Port uint32
	// QPN and Type are reported once it has a queue pair.
	QPN   *verbs.QPN
	Type  *verbs.QPType
	State CMState
	Space PortSpace
	// Source and Destination are 0.0.0.0:0 or [::]:0 while not set, and invalid
	// for InfiniBand addresses (AF_IB).
	Source, Destination netip.AddrPort
}

// CMState is an enum rdma_cm_state of the kernel.
type CMState uint8

// String returns the name rdma(8) shows.
func (s CMState) String() string {
	names := [...]string{
		"IDLE", "ADDR_QUERY", "ADDR_RESOLVED", "ROUTE_QUERY", "ROUTE_RESOLVED", "CONNECT",
		"DISCONNECT", "ADDR_BOUND", "LISTEN", "DEVICE_REMOVAL", "DESTROYING",
	}
	return name(names[:], s)
}

// PortSpace is an enum rdma_ucm_port_space.
type PortSpace uint32

// String returns the name rdma(8) shows.
func (p PortSpace) String() string {
	switch p {
	case 0x0002:
		return "IPoIB"
	case 0x0106:
		return "TCP"
	case 0x0111:
		return "UDP"
	case 0x013f:
		return "IB"
	}
	return fmt.Sprintf("PortSpace(0x%04x)", uint32(p))
}

func parseCMIDs(b []byte) ([]CMID, error) {
	return parseTable(b, attrCMTable, attrCMItem, (*CMID).field)
}

func (c *CMID) field(d *decoder) {
	switch d.Type() {
	case attrCMIDN:
		c.CMIDN = ID(d.Uint32())
	case attrPortIndex:
		c.Port = d.Uint32()
	case attrLQPN:
		c.QPN = new(verbs.QPN(d.Uint32()))
	case attrType:
		c.Type = new(verbs.QPType(d.Uint8()))
	case attrState:
		c.State = CMState(d.Uint8())
	case attrPS:
		c.Space = PortSpace(d.Uint32())
	case attrSrcAddr:
		c.Source = parseSockaddr(d.Bytes())
	case attrDstAddr:
		c.Destination = parseSockaddr(d.Bytes())
	default:
		c.Owner.field(d)
	}
}

// parseSockaddr reads a struct sockaddr_in or sockaddr_in6: the family in the
// order of the machine, the port in network order. Any other is invalid.
func parseSockaddr(b []byte) netip.AddrPort {
	const afInet, afInet6 = 2, 10
	if len(b) < 28 {
		return netip.AddrPort{}
	}
	port := binary.BigEndian.Uint16(b[2:])
	switch binary.NativeEndian.Uint16(b) {
	case afInet:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), port)
	case afInet6:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])), port)
	}
	return netip.AddrPort{}
}
