package kernel

import "ibtour/verbs"

// The two queue pairs of every port that only the kernel may use, beside those
// of verbs.QPType (IBTA vol. 1, 3.9.5). IBV has no names for them.
const (
	QPTSMI verbs.QPType = 0 // QP 0, subnet management; not on Ethernet
	QPTGSI verbs.QPType = 1 // QP 1, general services such as connection management
)

// QP is a queue pair (ibv_create_qp).
type QP struct {
	Owner
	LQPN  verbs.QPN
	Type  verbs.QPType
	State verbs.QPState
	// Port is 0 while the queue pair has none, in RESET.
	Port uint32
	// PDN is the protection domain it belongs to, nil for one of the kernel.
	PDN *ID
	// RQPN is the peer's number, reported for RC and UC; 0 before RTR.
	RQPN *verbs.QPN
	// RQPSN is the next number expected, reported for RC and UC.
	RQPSN *verbs.PSN
	// SQPSN is the next number to send, as far as the driver keeps it up to date.
	SQPSN *verbs.PSN
	// PathMig is reported for RC and UC.
	PathMig *verbs.MigState
}

func parseQueuePairs(b []byte) ([]QP, error) {
	return parseTable(b, attrQPTable, attrQPItem, (*QP).field)
}

func (q *QP) field(d *decoder) {
	switch d.Type() {
	case attrLQPN:
		q.LQPN = verbs.QPN(d.Uint32())
	case attrType:
		q.Type = verbs.QPType(d.Uint8())
	case attrState:
		q.State = verbs.QPState(d.Uint8())
	case attrPortIndex:
		q.Port = d.Uint32()
	case attrPDN:
		q.PDN = new(ID(d.Uint32()))
	case attrRQPN:
		q.RQPN = new(verbs.QPN(d.Uint32()))
	case attrRQPSN:
		q.RQPSN = new(verbs.PSN(d.Uint32()))
	case attrSQPSN:
		q.SQPSN = new(verbs.PSN(d.Uint32()))
	case attrPathMig:
		q.PathMig = new(verbs.MigState(d.Uint8()))
	default:
		q.Owner.field(d)
	}
}
