//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"

	"ibtour/verbs"
)

// QueryDevice calls ibv_query_device.
func (c *deviceContext) QueryDevice() (verbs.DeviceAttr, error) {
	a, done, err := borrow[cDeviceAttr](&c.lib.scratch)
	if err != nil {
		return verbs.DeviceAttr{}, err
	}
	defer done()
	if err := c.lib.status(&c.lib.queryDevice, c.addr, addrOf(a)); err != nil {
		return verbs.DeviceAttr{}, err
	}
	return a.attr(), nil
}

func (a *cDeviceAttr) attr() verbs.DeviceAttr {
	return verbs.DeviceAttr{
		FWVer:           cString(a.fwVer[:]),
		NodeGUID:        verbs.GUID(binary.BigEndian.Uint64(a.nodeGUID[:])),
		SysImageGUID:    verbs.GUID(binary.BigEndian.Uint64(a.sysImageGUID[:])),
		MaxMRSize:       a.maxMRSize,
		PageSizeCap:     a.pageSizeCap,
		VendorID:        a.vendorID,
		VendorPartID:    a.vendorPartID,
		HWVer:           a.hwVer,
		MaxQP:           int(a.maxQP),
		MaxQPWR:         int(a.maxQPWR),
		CapFlags:        a.capFlags,
		MaxSGE:          int(a.maxSGE),
		MaxSGERD:        int(a.maxSGERD),
		MaxCQ:           int(a.maxCQ),
		MaxCQE:          int(a.maxCQE),
		MaxMR:           int(a.maxMR),
		MaxPD:           int(a.maxPD),
		MaxQPRDAtom:     int(a.maxQPRDAtom),
		MaxQPInitRDAtom: int(a.maxQPInitRDAtom),
		AtomicCap:       a.atomicCap,
		MaxAH:           int(a.maxAH),
		MaxSRQ:          int(a.maxSRQ),
		MaxPKeys:        a.maxPKeys,
		LocalCAAckDelay: a.localCAAckDelay,
		PhysPortCnt:     a.physPortCnt,
	}
}

// QueryPort calls ibv_query_port. EINVAL: there is no such port.
func (c *deviceContext) QueryPort(port uint8) (verbs.PortAttr, error) {
	a, done, err := borrow[cPortAttr](&c.lib.scratch)
	if err != nil {
		return verbs.PortAttr{}, err
	}
	defer done()
	if err := c.lib.status(&c.lib.queryPort, c.addr, uintptr(port), addrOf(a)); err != nil {
		return verbs.PortAttr{}, err
	}
	return a.attr(), nil
}

func (a *cPortAttr) attr() verbs.PortAttr {
	return verbs.PortAttr{
		State:       verbs.PortState(a.state),
		MaxMTU:      verbs.MTU(a.maxMTU),
		ActiveMTU:   verbs.MTU(a.activeMTU),
		GIDTblLen:   int(a.gidTblLen),
		CapFlags:    a.capFlags,
		MaxMsgSz:    a.maxMsgSz,
		BadPKeyCntr: a.badPKeyCntr,
		QKeyViol:    a.qkeyViol,
		PKeyTblLen:  a.pkeyTblLen,
		LID:         verbs.LID(a.lid),
		SMLID:       verbs.LID(a.smLID),
		LMC:         a.lmc,
		MaxVLNum:    a.maxVLNum,
		SMSL:        a.smSL,
		Timeout:     a.timeout,
		InitType:    a.initType,
		ActiveWidth: a.activeWidth,
		ActiveSpeed: a.activeSpeed,
		PhysState:   verbs.PhysState(a.physState),
		LinkLayer:   verbs.LinkLayer(a.linkLayer),
		Flags:       a.flags,
	}
}

// QueryGID calls ibv_query_gid_ex, which is _ibv_query_gid_ex with the size of
// the structure; a library older than that function gets ibv_query_gid and a
// look into sysfs. ENODATA: the entry is empty. EINVAL: there is no such entry.
func (c *deviceContext) QueryGID(port uint8, index int) (verbs.GIDEntry, error) {
	if index < 0 {
		return verbs.GIDEntry{}, syscall.EINVAL
	}
	e, done, err := borrow[cGIDEntry](&c.lib.scratch)
	if err != nil {
		return verbs.GIDEntry{}, err
	}
	defer done()
	if err := c.queryGID(port, index, e); err != nil {
		return verbs.GIDEntry{}, err
	}
	gid := verbs.GID(e.gid)
	if gid.IsZero() {
		return verbs.GIDEntry{}, syscall.ENODATA
	}
	return verbs.GIDEntry{
		GID: gid, Index: index, Port: port, Type: verbs.GIDType(e.gidType), NetdevIndex: int(e.ndevIfindex),
	}, nil
}

func (c *deviceContext) queryGID(port uint8, index int, e *cGIDEntry) error {
	const noFlags = 0
	if f := &c.lib.queryGIDEx; f.addr != 0 {
		return c.lib.status(f, c.addr, uintptr(port), uintptr(index), addrOf(e), noFlags, unsafe.Sizeof(*e))
	}
	err := c.lib.minusOne(&c.lib.queryGID, c.addr, uintptr(port), uintptr(index), addrOf(&e.gid))
	if err != nil {
		return err
	}
	dir := fmt.Sprintf("%s/ports/%d/gid_attrs", cString(at[cDevice](c.ops.device).ibdevPath[:]), port)
	return e.fromSysfs(dir, index)
}

// fromSysfs reads what ibv_query_gid does not tell. The kernel has one label
// for IB and RoCE v1, so the latter is taken for the former. It refuses to
// tell the type of an empty entry.
func (e *cGIDEntry) fromSysfs(dir string, index int) error {
	label, err := os.ReadFile(fmt.Sprintf("%s/types/%d", dir, index))
	if errors.Is(err, syscall.EINVAL) {
		return syscall.ENODATA
	}
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(label)) == "RoCE v2" {
		e.gidType = uint32(verbs.GIDTypeRoCEv2)
	}
	e.ndevIfindex = netdevIndex(fmt.Sprintf("%s/ndevs/%d", dir, index))
	return nil
}
