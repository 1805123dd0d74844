package kernel

import (
	"encoding/binary"
	"fmt"
)

// Driver is the kernel's number for the driver of an RDMA device (enum
// rdma_driver_id of <rdma/ib_user_ioctl_verbs.h>). libibverbs chooses its
// provider by it.
type Driver uint32

// The software drivers: their packets pass the network stack of the host,
// those of the others are made and consumed by an adapter.
const (
	DriverRXE Driver = 14 // Soft-RoCE, RoCE v2
	DriverSIW Driver = 18 // Soft-iWARP
)

// driverNames are the modules without the "_ib" and the like, by number.
var driverNames = [...]string{
	"unknown", "mlx5", "mlx4", "cxgb3", "cxgb4", "mthca", "bnxt_re", "ocrdma", "nes", "irdma",
	"vmw_pvrdma", "qedr", "hns", "usnic", "rxe", "hfi1", "qib", "efa", "siw", "erdma",
}

// String returns the driver's name: rxe, mlx5.
func (d Driver) String() string {
	if int(d) < len(driverNames) {
		return driverNames[d]
	}
	return fmt.Sprintf("driver %d", uint32(d))
}

// ReadDriver returns the driver of a device, from what the kernel says of the
// character device that programs open. The error wraps verbs.ErrNoDevice when
// there is no such device, syscall.EINVAL before Linux 5.1, which does not
// tell, and is otherwise as that of ReadResources.
func ReadDriver(dev string) (Driver, error) {
	c, err := dial()
	if err != nil {
		return 0, err
	}
	defer c.close()
	return c.driver(dev)
}

func (c *conn) driver(dev string) (Driver, error) {
	d, err := c.device(dev)
	if err != nil {
		return 0, err
	}
	b, err := c.get(cmdGetChardev, chardevAttr(d.Index))
	if err != nil {
		return 0, err
	}
	return parseDriver(b)
}

// chardevAttr asks for the character device of the verbs.
func chardevAttr(index uint32) []byte {
	const kind = "uverbs\x00"
	b := deviceAttr(index)
	b = binary.NativeEndian.AppendUint16(b, uint16(4+len(kind)))
	b = binary.NativeEndian.AppendUint16(b, attrChardevType)
	return append(b, kind+"\x00"...) // padded to a multiple of four
}

func parseDriver(b []byte) (Driver, error) {
	var id Driver
	err := parseAttrs(b, func(d *decoder) {
		if d.Type() == attrDriverID {
			id = Driver(d.Uint32())
		}
	})
	return id, err
}
