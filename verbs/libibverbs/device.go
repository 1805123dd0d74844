//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"bytes"
	"math/bits"
	"strconv"

	"ibtour/verbs"
)

type driver struct{ lib *library }

// deviceList is the array that ibv_get_device_list returned.
type deviceList struct {
	lib     *library
	array   uintptr
	devices []uintptr // struct ibv_device *
}

// DeviceList returns the devices of this machine (ibv_get_device_list).
// ENOSYS: the kernel has no RDMA support. EPERM: it may not be asked.
func (d *driver) DeviceList() (verbs.List, error) {
	num, done, err := borrow[int32](&d.lib.scratch)
	if err != nil {
		return nil, err
	}
	defer done()
	list, err := d.lib.pointer(&d.lib.getDeviceList, addrOf(num))
	if err != nil {
		return nil, err
	}
	devices := append([]uintptr(nil), array[uintptr](list, int(*num))...)
	return &deviceList{lib: d.lib, array: list, devices: devices}, nil
}

func (l *deviceList) Devices() []verbs.DeviceInfo {
	infos := make([]verbs.DeviceInfo, len(l.devices))
	for i, d := range l.devices {
		infos[i] = l.info(d)
	}
	return infos
}

func (l *deviceList) info(addr uintptr) verbs.DeviceInfo {
	d := at[cDevice](addr)
	return verbs.DeviceInfo{
		Name:      cString(d.name[:]),
		NodeType:  verbs.NodeType(d.nodeType),
		Transport: transportText(d.transportType),
		GUID:      verbs.GUID(bits.ReverseBytes64(uint64(l.lib.void(&l.lib.getDeviceGUID, addr)))),
		UVerbs:    "/dev/infiniband/" + cString(d.devName[:]),
		SysPath:   cString(d.ibdevPath[:]),
	}
}

// Open opens a device (ibv_open_device). EACCES: its file may not be opened.
func (l *deviceList) Open(i int) (verbs.DriverContext, error) {
	addr, err := l.lib.pointer(&l.lib.openDevice, l.devices[i])
	if err != nil {
		return nil, err
	}
	c, err := newContext(l.lib, addr)
	if err != nil {
		l.lib.void(&l.lib.closeDevice, addr)
		return nil, err
	}
	return c, nil
}

// Free gives the array back (ibv_free_device_list). Devices that were opened
// are kept by the library.
func (l *deviceList) Free() {
	if l.array != 0 {
		l.lib.void(&l.lib.freeDeviceList, l.array)
	}
	l.array, l.devices = 0, nil
}

// transportText names a transport (enum ibv_transport_type).
func transportText(t int32) string {
	switch t {
	case transportIB:
		return "IB"
	case transportIWARP:
		return "iWARP"
	}
	return strconv.Itoa(int(t))
}

func cString(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}
