package wire

// RoCE v2 puts entropy for equal-cost routing into the UDP source port; the
// receiver ignores it (IBTA vol. 1, annex A17). How it is made is no part of
// the specification: these are the rules of the Linux kernel (rdma_flow_label_to_udp_sport
// and rdma_calc_flow_label).
const (
	flowLabelBits = 20
	flowLabelMask = 1<<flowLabelBits - 1

	sourcePortBits = 14
	sourcePortMin  = 0xC000 // first of the dynamic ports (RFC 6335)
)

// FlowLabel returns the 20-bit flow label of a connection whose address vector
// names none. Both ends come to the same.
func FlowLabel(local, remote QPN) uint32 {
	v := uint64(local) * uint64(remote)
	v ^= v >> flowLabelBits
	v ^= v >> (2 * flowLabelBits)
	return uint32(v & flowLabelMask)
}

// SourcePort returns the UDP source port for a flow label, in 0xC000..0xFFFF.
func SourcePort(flowLabel uint32) uint16 {
	low := flowLabel & (1<<sourcePortBits - 1)
	high := flowLabel & flowLabelMask >> sourcePortBits
	return uint16(sourcePortMin | low ^ high)
}

// SourcePortFor returns the UDP source port of a connection: from the flow label
// of its address vector or, where that is 0, from its two QPNs.
func SourcePortFor(flowLabel uint32, local, remote QPN) uint16 {
	if flowLabel&flowLabelMask == 0 {
		flowLabel = FlowLabel(local, remote)
	}
	return SourcePort(flowLabel)
}
