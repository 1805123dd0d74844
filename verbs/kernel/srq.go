package kernel

import "ibtour/verbs"

// SRQ is a shared receive queue (ibv_create_srq).
type SRQ struct {
	Owner
	SRQN ID
	Type SRQType
	// PDN is the protection domain it belongs to.
	PDN *ID
	// CQN is its completion queue, reported for the types that have their own.
	CQN *ID
	// QPs are the queue pairs that take their receives from it.
	QPs []QPRange //nolint:staticcheck // the plural of QP, not the initialism QPS
}

// QPRange is the queue pairs First to Last, both included.
type QPRange struct{ First, Last verbs.QPN }

// SRQType is an enum ib_srq_type.
type SRQType uint8

// String returns the name rdma(8) shows.
func (t SRQType) String() string {
	names := [...]string{"BASIC", "XRC", "TM"}
	return name(names[:], t)
}

func parseSRQs(b []byte) ([]SRQ, error) {
	return parseTable(b, attrSRQTable, attrSRQItem, (*SRQ).field)
}

func (s *SRQ) field(d *decoder) {
	switch d.Type() {
	case attrSRQN:
		s.SRQN = ID(d.Uint32())
	case attrType:
		s.Type = SRQType(d.Uint8())
	case attrPDN:
		s.PDN = new(ID(d.Uint32()))
	case attrCQN:
		s.CQN = new(ID(d.Uint32()))
	case attrQPTable:
		d.Nested(func(d *decoder) error {
			return each(d, func(d *decoder) {
				if d.Type() == attrQPItem {
					d.Nested(s.qpRange)
				}
			})
		})
	default:
		s.Owner.field(d)
	}
}

// qpRange reads one entry of the list of queue pairs: a single number, or the
// ends of a run of numbers.
func (s *SRQ) qpRange(d *decoder) error {
	var r QPRange
	err := each(d, func(d *decoder) {
		switch d.Type() {
		case attrLQPN:
			n := verbs.QPN(d.Uint32())
			r = QPRange{n, n}
		case attrMinRange:
			r.First = verbs.QPN(d.Uint32())
		case attrMaxRange:
			r.Last = verbs.QPN(d.Uint32())
		}
	})
	s.QPs = append(s.QPs, r)
	return err
}
