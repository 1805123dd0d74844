package kernel

import (
	"fmt"
	"strings"
)

// CQ is a completion queue (ibv_create_cq).
type CQ struct {
	Owner
	CQN ID
	// CtxN is the context it belongs to, nil for one of the kernel.
	CtxN *ID
	// CQE is its capacity in completions, at least what was asked for.
	CQE uint32
	// Users counts the queues that complete into it: a QP twice when it sends
	// and receives with the same CQ.
	Users uint64
	// Poll is how a CQ of the kernel is polled, nil for one of a process.
	Poll *PollContext
	// Moderation tells whether the driver adapts the rate of interrupts (DIM).
	Moderation *bool
}

// PollContext is an enum ib_poll_context of the kernel.
type PollContext uint8

// String returns the name rdma(8) shows.
func (p PollContext) String() string {
	names := [...]string{"DIRECT", "SOFTIRQ", "WORKQUEUE", "UNBOUND_WORKQUEUE"}
	return name(names[:], p)
}

func parseCQs(b []byte) ([]CQ, error) {
	return parseTable(b, attrCQTable, attrCQItem, (*CQ).field)
}

func (c *CQ) field(d *decoder) {
	switch d.Type() {
	case attrCQN:
		c.CQN = ID(d.Uint32())
	case attrCtxN:
		c.CtxN = new(ID(d.Uint32()))
	case attrCQE:
		c.CQE = d.Uint32()
	case attrUses:
		c.Users = d.Uint64()
	case attrPollCtx:
		c.Poll = new(PollContext(d.Uint8()))
	case attrDIM:
		c.Moderation = new(d.Uint8() != 0)
	default:
		c.Owner.field(d)
	}
}

// name returns the n-th name, or Type(n) for a number without one.
func name[T ~uint8](names []string, n T) string {
	if int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprintf("%s(%d)", strings.TrimPrefix(fmt.Sprintf("%T", n), "kernel."), uint8(n))
}
