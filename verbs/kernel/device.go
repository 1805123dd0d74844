package kernel

import (
	"fmt"

	"ibtour/verbs"
)

// Device is an RDMA device as RDMA netlink sees it.
type Device struct {
	Name  string
	Index uint32
	// Ports is the number of ports; they count from 1.
	Ports uint32
	Node  verbs.NodeType
	GUID  verbs.GUID
	// SystemGUID is shared by the devices of one adapter.
	SystemGUID verbs.GUID
	Firmware   string
	// Protocol is "ib", "roce", "iw" (iWARP), "usnic" or "opa".
	Protocol string
}

// ReadDevices returns the devices of this network namespace. Errors are those
// of ReadResources.
func ReadDevices() ([]Device, error) {
	c, err := dial()
	if err != nil {
		return nil, err
	}
	defer c.close()
	return c.devices()
}

func (c *conn) devices() ([]Device, error) {
	var all []Device
	return all, c.each(cmdGet, nil, func(b []byte) error {
		d, err := parseDevice(b)
		all = append(all, d)
		return err
	})
}

func (c *conn) device(name string) (Device, error) {
	all, err := c.devices()
	if err != nil {
		return Device{}, err
	}
	for _, d := range all {
		if d.Name == name {
			return d, nil
		}
	}
	return Device{}, fmt.Errorf("RDMA device %q: %w", name, verbs.ErrNoDevice)
}

func parseDevice(b []byte) (Device, error) {
	var dev Device
	err := parseAttrs(b, func(d *decoder) {
		switch d.Type() {
		case attrDevIndex:
			dev.Index = d.Uint32()
		case attrDevName:
			dev.Name = d.String()
		case attrPortIndex:
			dev.Ports = d.Uint32()
		case attrNodeType:
			dev.Node = verbs.NodeType(d.Uint8())
		case attrNodeGUID:
			dev.GUID = verbs.GUID(d.Uint64())
		case attrSysGUID:
			dev.SystemGUID = verbs.GUID(d.Uint64())
		case attrFWVersion:
			dev.Firmware = d.String()
		case attrProtocol:
			dev.Protocol = d.String()
		}
	})
	return dev, err
}
