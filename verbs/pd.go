package verbs

import (
	"fmt"

	"ibtour/verbs/trace"
)

// PD is a protection domain (struct ibv_pd): what belongs to one can be used
// together, and with nothing else.
type PD struct {
	ctx    *Context
	h      Handle
	closed bool
}

// AllocPD allocates a protection domain (ibv_alloc_pd). ENOMEM: the device
// has no more.
func (c *Context) AllocPD() (*PD, error) {
	pd := &PD{ctx: c}
	args := []trace.Arg{{Name: "context", Value: c.Name()}}
	err := c.call("ibv_alloc_pd", c.Name(), args, func() (string, error) {
		h, err := c.dc.AllocPD()
		if err != nil {
			return "NULL", err
		}
		pd.h = h
		return "pd", nil
	})
	if err != nil {
		return nil, err
	}
	c.family.add(pd)
	return pd, nil
}

// String returns "PD".
func (p *PD) String() string { return "PD" }

// Close deallocates the domain (ibv_dealloc_pd). EBUSY: regions or queue
// pairs still belong to it. A second Close does nothing.
func (p *PD) Close() error {
	return p.ctx.destroy(p, &p.closed, "ibv_dealloc_pd", "pd", func() error { return p.ctx.dc.DeallocPD(p.h) })
}

func (p *PD) parents() []object { return nil }

// MR is a memory region (struct ibv_mr): a buffer the adapter may reach, its
// pages pinned and their addresses known to the device.
type MR struct {
	pd     *PD
	h      Handle
	buf    *Buffer
	access AccessFlags
	keys   KeyPair
	closed bool
}

// RegMR registers a whole buffer (ibv_reg_mr). EINVAL: remote writing without
// local writing, or no bytes. ENOMEM: more pages than the process may pin
// (ulimit -l). EPERM: it may pin none.
func (p *PD) RegMR(buf *Buffer, access AccessFlags) (*MR, error) {
	if p.closed {
		return nil, closedError("ibv_reg_mr", p)
	}
	m := &MR{pd: p, buf: buf, access: access}
	args := []trace.Arg{
		{Name: "pd", Value: "pd"},
		{Name: "addr", Value: hex(buf.Addr())},
		{Name: "length", Value: num(buf.Len())},
		{Name: "access", Value: access.String()},
	}
	object := fmt.Sprintf("%d bytes", buf.Len())
	err := p.ctx.call("ibv_reg_mr", object, args, func() (string, error) {
		h, keys, err := p.ctx.dc.RegMR(p.h, buf, access)
		if err != nil {
			return "NULL", err
		}
		m.h, m.keys = h, keys
		return fmt.Sprintf("mr {lkey %v, rkey %v}", keys.LKey, keys.RKey), nil
	})
	if err != nil {
		return nil, err
	}
	p.ctx.family.add(m)
	return m, nil
}

// LKey returns the key for work requests of this process.
func (m *MR) LKey() LKey { return m.keys.LKey }

// RKey returns the key for work requests of a peer.
func (m *MR) RKey() RKey { return m.keys.RKey }

// Buffer returns the memory registered.
func (m *MR) Buffer() *Buffer { return m.buf }

// Access returns the rights given at registration.
func (m *MR) Access() AccessFlags { return m.access }

// Peek copies memory of the region from an offset on, for an observer, and
// returns the number of bytes. The program needs no such call: it looks at its
// buffer when a completion says that the adapter has done with it. Before that
// the adapter may be writing; a software device waits while a copy is made.
func (m *MR) Peek(dst []byte, offset int) (int, error) {
	if m.closed {
		return 0, ErrClosed
	}
	src := m.buf.Bytes()[offset:]
	n := min(len(dst), len(src))
	m.pd.ctx.dc.Peek(dst[:n], src[:n])
	return n, nil
}

// SGE returns a scatter/gather element for length bytes at an offset.
func (m *MR) SGE(offset, length int) SGE {
	return SGE{Addr: m.buf.Addr() + uint64(offset), Length: uint32(length), LKey: m.keys.LKey}
}

// String returns "MR lkey 0x00000842".
func (m *MR) String() string { return fmt.Sprintf("MR lkey %v", m.keys.LKey) }

// Close deregisters the region (ibv_dereg_mr): its pages are unpinned and its
// keys are void. A second Close does nothing.
func (m *MR) Close() error {
	return m.pd.ctx.destroy(m, &m.closed, "ibv_dereg_mr", "mr", func() error { return m.pd.ctx.dc.DeregMR(m.h) })
}

func (m *MR) parents() []object { return []object{m.pd} }
