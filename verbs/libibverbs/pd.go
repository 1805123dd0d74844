//go:build linux && !android && (amd64 || arm64)

package libibverbs

import "ibtour/verbs"

type (
	pd uintptr // struct ibv_pd *
	mr uintptr // struct ibv_mr *
)

// AllocPD calls ibv_alloc_pd.
func (c *deviceContext) AllocPD() (verbs.Handle, error) {
	addr, err := c.lib.pointer(&c.lib.allocPD, c.addr)
	if err != nil {
		return nil, err
	}
	return pd(addr), nil
}

// DeallocPD calls ibv_dealloc_pd. EBUSY: the domain is in use.
func (c *deviceContext) DeallocPD(h verbs.Handle) error {
	return c.lib.status(&c.lib.deallocPD, uintptr(h.(pd)))
}

// RegMR calls ibv_reg_mr on a whole buffer. EINVAL: rights that do not go
// together, or no bytes. ENOMEM: more than the process may pin.
func (c *deviceContext) RegMR(h verbs.Handle, buf *verbs.Buffer, access verbs.AccessFlags) (
	verbs.Handle, verbs.KeyPair, error,
) {
	addr, err := c.lib.pointer(&c.lib.regMR,
		uintptr(h.(pd)), uintptr(buf.Addr()), uintptr(buf.Len()), uintptr(access))
	if err != nil {
		return nil, verbs.KeyPair{}, err
	}
	m := at[cMR](addr)
	return mr(addr), verbs.KeyPair{LKey: verbs.LKey(m.lkey), RKey: verbs.RKey(m.rkey)}, nil
}

// Peek copies memory that the adapter may be writing to.
func (c *deviceContext) Peek(dst, src []byte) { copy(dst, src) }

// Booked returns nothing: the kernel counts pinned pages.
func (c *deviceContext) Booked() (bytes int64, counts bool) { return 0, false }

// DeregMR calls ibv_dereg_mr.
func (c *deviceContext) DeregMR(h verbs.Handle) error {
	return c.lib.status(&c.lib.deregMR, uintptr(h.(mr)))
}
