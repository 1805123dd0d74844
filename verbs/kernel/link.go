package kernel

import (
	"fmt"

	"ibtour/verbs"
)

// Link is one port of an RDMA device (rdma-link(8)).
type Link struct {
	Device string
	Port   uint32
	State  verbs.PortState
	Phys   verbs.PhysState
	// Netdev is the network device under the port, empty on InfiniBand.
	Netdev      string
	NetdevIndex uint32
	// LID, SMLID, LMC and SubnetPrefix are nil where there is no subnet manager.
	LID, SMLID   *verbs.LID
	LMC          *uint8
	SubnetPrefix *uint64
	// Caps is the port's PortInfo CapabilityMask, with CapabilityMask2 in bits
	// 32 to 47.
	Caps uint64
}

// ReadLinks returns the ports of all devices of this network namespace. Errors
// are those of ReadResources.
func ReadLinks() ([]Link, error) {
	c, err := dial()
	if err != nil {
		return nil, err
	}
	defer c.close()
	devices, err := c.devices()
	if err != nil {
		return nil, err
	}
	var all []Link
	for _, d := range devices {
		links, err := c.links(d.Index)
		if err != nil {
			return nil, err
		}
		all = append(all, links...)
	}
	return all, nil
}

// ReadLink returns one port of a device. The error wraps verbs.ErrNoDevice when
// there is no such device or port, else it is as that of ReadResources.
func ReadLink(dev string, port int) (Link, error) {
	c, err := dial()
	if err != nil {
		return Link{}, err
	}
	defer c.close()
	device, err := c.device(dev)
	if err != nil {
		return Link{}, err
	}
	links, err := c.links(device.Index)
	if err != nil {
		return Link{}, err
	}
	for _, l := range links {
		if int(l.Port) == port {
			return l, nil
		}
	}
	return Link{}, fmt.Errorf("port %d of RDMA device %q: %w", port, dev, verbs.ErrNoDevice)
}

func (c *conn) links(index uint32) ([]Link, error) {
	var all []Link
	return all, c.each(cmdPortGet, deviceAttr(index), func(b []byte) error {
		l, err := parseLink(b)
		all = append(all, l)
		return err
	})
}

func parseLink(b []byte) (Link, error) {
	var l Link
	err := parseAttrs(b, func(d *decoder) {
		switch d.Type() {
		case attrDevName:
			l.Device = d.String()
		case attrPortIndex:
			l.Port = d.Uint32()
		case attrPortState:
			l.State = verbs.PortState(d.Uint8())
		case attrPhysState:
			l.Phys = verbs.PhysState(d.Uint8())
		case attrNetdevName:
			l.Netdev = d.String()
		case attrNetdevIndex:
			l.NetdevIndex = d.Uint32()
		case attrLID:
			l.LID = new(verbs.LID(d.Uint32()))
		case attrSMLID:
			l.SMLID = new(verbs.LID(d.Uint32()))
		case attrLMC:
			l.LMC = new(d.Uint8())
		case attrPrefix:
			l.SubnetPrefix = new(d.Uint64())
		case attrCapFlags:
			l.Caps = d.Uint64()
		}
	})
	return l, err
}
