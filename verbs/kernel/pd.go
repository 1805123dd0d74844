package kernel

import "ibtour/verbs"

// PD is a protection domain (ibv_alloc_pd).
type PD struct {
	Owner
	PDN ID
	// CtxN is the context it belongs to, nil for one of the kernel.
	CtxN *ID
	// Users counts the objects made in it.
	Users uint64
	// LocalDMALKey is a key for all memory that only the kernel may use. Both
	// keys need CAP_NET_ADMIN to be seen.
	LocalDMALKey *verbs.LKey
	// UnsafeGlobalRKey gives a peer access to all memory; few kernel users have one.
	UnsafeGlobalRKey *verbs.RKey
}

func parsePDs(b []byte) ([]PD, error) {
	return parseTable(b, attrPDTable, attrPDItem, (*PD).field)
}

func (p *PD) field(d *decoder) {
	switch d.Type() {
	case attrPDN:
		p.PDN = ID(d.Uint32())
	case attrCtxN:
		p.CtxN = new(ID(d.Uint32()))
	case attrUses:
		p.Users = d.Uint64()
	case attrLocalLKey:
		p.LocalDMALKey = new(verbs.LKey(d.Uint32()))
	case attrGlobalRKey:
		p.UnsafeGlobalRKey = new(verbs.RKey(d.Uint32()))
	default:
		p.Owner.field(d)
	}
}
