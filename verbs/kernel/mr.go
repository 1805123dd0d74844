package kernel

import "ibtour/verbs"

// MR is a memory region (ibv_reg_mr).
type MR struct {
	Owner
	MRN ID
	// PDN is the protection domain it belongs to.
	PDN *ID
	// Len is its length in bytes.
	Len uint64
	// LKey and RKey need CAP_NET_ADMIN to be seen. Key 0 gives no access.
	LKey *verbs.LKey
	RKey *verbs.RKey
	// IOVA is the address a peer uses. Linux stopped reporting it.
	IOVA *uint64
}

func parseMRs(b []byte) ([]MR, error) {
	return parseTable(b, attrMRTable, attrMRItem, (*MR).field)
}

func (m *MR) field(d *decoder) {
	switch d.Type() {
	case attrMRN:
		m.MRN = ID(d.Uint32())
	case attrPDN:
		m.PDN = new(ID(d.Uint32()))
	case attrMRLen:
		m.Len = d.Uint64()
	case attrLKey:
		m.LKey = new(verbs.LKey(d.Uint32()))
	case attrRKey:
		m.RKey = new(verbs.RKey(d.Uint32()))
	case attrIOVA:
		m.IOVA = new(d.Uint64())
	default:
		m.Owner.field(d)
	}
}
