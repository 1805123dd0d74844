package softroce

import (
	"ibtour/verbs"
)

const pageSize = 4096

// mr is a memory region: pages the device may reach under two keys.
type mr struct {
	pd     *pd
	mem    []byte
	base   uint64 // virtual address of mem
	access verbs.AccessFlags
	keys   verbs.KeyPair
	pinned int64
	dead   bool
}

const (
	remoteAccess = verbs.AccessRemoteWrite | verbs.AccessRemoteRead | verbs.AccessRemoteAtomic
	mrAccess     = verbs.AccessLocalWrite | remoteAccess
	// knownAccess are the flags that have a meaning this device could lack.
	knownAccess = mrAccess | verbs.AccessMWBind | verbs.AccessZeroBased | verbs.AccessOnDemand
)

// checkAccess applies the rules of ibv_reg_mr(3). EINVAL: a peer could write
// where the program itself may not, or a flag is unknown. EOPNOTSUPP: memory
// windows, zero based addresses and on-demand paging are not there.
func checkAccess(f verbs.AccessFlags) error {
	switch {
	case f&^knownAccess != 0:
		return errInval
	case f&(verbs.AccessRemoteWrite|verbs.AccessRemoteAtomic) != 0 && f&verbs.AccessLocalWrite == 0:
		return errInval
	case f&^mrAccess != 0:
		return errNotSupp
	}
	return nil
}

// regMR registers a buffer (ibv_reg_mr). ENOMEM: more would be pinned than
// allowed. EPERM: nothing may be pinned.
func (d *device) regMR(p *pd, buf *verbs.Buffer, access verbs.AccessFlags) (*mr, error) {
	if err := checkAccess(access); err != nil {
		return nil, err
	}
	if buf == nil || buf.Len() == 0 {
		return nil, errInval
	}
	pinned := (int64(buf.Len()) + pageSize - 1) / pageSize * pageSize
	if err := d.pin(pinned); err != nil {
		return nil, err
	}
	keys, err := d.newKeys()
	if err != nil {
		d.pinned -= pinned
		return nil, err
	}
	m := &mr{pd: p, mem: buf.Bytes(), base: buf.Addr(), access: access, keys: keys, pinned: pinned}
	d.lkeys[keys.LKey], d.rkeys[keys.RKey] = m, m
	p.children++
	return m, nil
}

// pin books pages. Overlapping regions count twice, as in the kernel.
func (d *device) pin(n int64) error {
	limit := d.opts.MaxPinned
	switch {
	case limit < 0:
		return errPerm
	case limit == 0:
		limit = DefaultMaxPinned
	}
	if d.pinned+n > limit || len(d.lkeys) >= maxMR {
		return errNoMem
	}
	d.pinned += n
	return nil
}

// deregMR makes both keys void. Work under way that uses them fails.
func (d *device) deregMR(m *mr) {
	m.dead = true
	m.mem = nil
	d.pinned -= m.pinned
	m.pd.children--
	delete(d.lkeys, m.keys.LKey)
	delete(d.rkeys, m.keys.RKey)
}

// at returns n bytes of the region from a virtual address, or nil if they are
// not all inside. n is at least 1.
func (m *mr) at(va uint64, n int) []byte {
	off := va - m.base // below base it wraps round to a huge number
	if off >= uint64(len(m.mem)) || uint64(n) > uint64(len(m.mem))-off {
		return nil
	}
	return m.mem[off : off+uint64(n) : off+uint64(n)]
}

// local returns the memory a work request names with an lkey, or nil if the
// key, the domain, the right or the range is wrong (IBTA vol. 1, 10.6.3).
func (d *device) local(p *pd, key verbs.LKey, va uint64, n int, need verbs.AccessFlags) []byte {
	m := d.lkeys[key]
	if m == nil || m.pd != p || m.access&need != need {
		return nil
	}
	return m.at(va, n)
}

// remote returns the memory a peer names with an rkey, or nil.
func (d *device) remote(p *pd, key verbs.RKey, va uint64, n int, need verbs.AccessFlags) []byte {
	m := d.rkeys[key]
	if m == nil || m.pd != p || m.access&need != need {
		return nil
	}
	return m.at(va, n)
}

// anywhere returns registered memory by its address alone, or nil.
func (d *device) anywhere(va uint64, n int) []byte {
	for _, m := range d.lkeys {
		if b := m.at(va, n); b != nil {
			return b
		}
	}
	return nil
}
