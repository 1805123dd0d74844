//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"math/bits"

	"ibtour/verbs"
)

// PollCQ calls the device's poll_cq, what ibv_poll_cq does. It takes up to
// len(wc) completions, and never more than 64.
func (c *deviceContext) PollCQ(h verbs.Handle, wc []verbs.WC) (int, error) {
	q := h.(*cq)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.poll[1] = uintptr(min(len(wc), pollMost))
	n, err := fastCount(c.ops.pollCQ, q.poll[:])
	for i := range n {
		q.wcs[i].to(&wc[i])
	}
	return n, err
}

// ReqNotifyCQ calls the device's req_notify_cq, what ibv_req_notify_cq does.
func (c *deviceContext) ReqNotifyCQ(h verbs.Handle, solicitedOnly bool) error {
	q := h.(*cq)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.notify[1] = uintptr(cBool(solicitedOnly))
	return fastStatus(c.ops.reqNotifyCQ, q.notify[:])
}

// to converts a completion. Immediate data is in network order in C; the same
// word is a key if the peer invalidated one.
func (w *cWC) to(wc *verbs.WC) {
	*wc = verbs.WC{
		WRID: w.wrID, Status: verbs.WCStatus(w.status), Opcode: verbs.WCOpcode(w.opcode),
		VendorErr: w.vendorErr, ByteLen: w.byteLen, Imm: 0, InvalidatedRKey: 0,
		QPN: verbs.QPN(w.qpNum), SrcQP: verbs.QPN(w.srcQP), Flags: verbs.WCFlags(w.flags),
		PKeyIndex: w.pkeyIndex, SLID: verbs.LID(w.slid), SL: w.sl, DLIDPathBits: w.dlidPathBits,
	}
	if wc.Flags&verbs.WCWithImm != 0 {
		wc.Imm = hostOrder(w.imm)
	}
	if wc.Flags&verbs.WCWithInv != 0 {
		wc.InvalidatedRKey = verbs.RKey(w.imm)
	}
}

// hostOrder is ntohl(3), and htonl: both architectures are little endian.
func hostOrder(n uint32) uint32 { return bits.ReverseBytes32(n) }

func cBool(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
