package kernel

// Count is how many objects of a kind exist.
type Count struct {
	// Name is the kernel's word: "pd", "cq", "qp", "cm_id", "mr", "ctx", "srq".
	Name string
	N    uint64
}

// Count returns the number of all objects of a kind, those of the kernel and
// of other processes included; 0 for a kind the kernel does not count.
func (r *Resources) Count(name string) uint64 {
	for _, c := range r.Summary {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

func parseSummary(b []byte) ([]Count, error) {
	return parseTable(b, attrSummary, attrSummaryItem, (*Count).field)
}

func (c *Count) field(d *decoder) {
	switch d.Type() {
	case attrSummaryName:
		c.Name = d.String()
	case attrSummaryCurr:
		c.N = d.Uint64()
	}
}
