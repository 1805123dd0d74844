package verbs

import (
	"fmt"

	"ibtour/verbs/trace"
)

// SGE is one piece of registered memory (struct ibv_sge). Addr is a virtual
// address of this process.
type SGE struct {
	Addr   uint64
	Length uint32
	LKey   LKey
}

// SendWR is a work request for the send queue (struct ibv_send_wr). Which of
// the lower fields count depends on Opcode and on the type of the queue pair.
type SendWR struct {
	WRID   uint64
	SGList []SGE
	Opcode WROpcode
	Flags  SendFlags

	Imm            uint32 // WITH_IMM, in host order
	InvalidateRKey RKey   // WITH_INV
	RemoteAddr     uint64 // RDMA and atomics
	RKey           RKey   // RDMA and atomics
	CompareAdd     uint64 // atomics
	Swap           uint64 // compare and swap
	AH             Handle // datagrams
	RemoteQPN      QPN    // datagrams
	RemoteQKey     QKey   // datagrams
}

// RecvWR is a work request for the receive queue (struct ibv_recv_wr).
type RecvWR struct {
	WRID   uint64
	SGList []SGE
}

// WC is a work completion (struct ibv_wc). With an error status only WRID,
// Status, QPN and VendorErr are valid.
type WC struct {
	WRID            uint64
	Status          WCStatus
	Opcode          WCOpcode
	VendorErr       uint32
	ByteLen         uint32
	Imm             uint32
	InvalidatedRKey RKey
	QPN             QPN
	SrcQP           QPN
	Flags           WCFlags
	PKeyIndex       uint16
	SLID            LID
	SL              uint8
	DLIDPathBits    uint8
}

// Err returns a *CompletionError if the work failed, else nil.
func (w *WC) Err() error {
	if w.Status == WCSuccess {
		return nil
	}
	return &CompletionError{Status: w.Status, VendorErr: w.VendorErr, WRID: w.WRID, QPN: w.QPN}
}

func (w *WC) event() trace.Completion {
	e := trace.Completion{
		QPN: uint32(w.QPN), WRID: w.WRID, Status: w.Status.String(), Vendor: w.VendorErr,
	}
	if w.Status == WCSuccess {
		e.Opcode, e.ByteLen = w.Opcode.String(), w.ByteLen
	}
	return e
}

func (w *SendWR) fields() []trace.Arg {
	f := []trace.Arg{{Name: "wr_id", Value: num(w.WRID)}}
	f = append(f, sgFields(w.SGList)...)
	f = append(f,
		trace.Arg{Name: "opcode", Value: w.Opcode.String()},
		trace.Arg{Name: "send_flags", Value: w.Flags.String()},
	)
	switch w.Opcode {
	case WRSendWithImm, WRRDMAWriteWithImm:
		f = append(f, trace.Arg{Name: "imm_data", Value: hex(w.Imm)})
	case WRSendWithInv, WRLocalInv:
		f = append(f, trace.Arg{Name: "invalidate_rkey", Value: w.InvalidateRKey.String()})
	case WRAtomicCmpAndSwp, WRAtomicFetchAndAdd:
		f = append(f, trace.Arg{Name: "wr.atomic.compare_add", Value: num(w.CompareAdd)},
			trace.Arg{Name: "wr.atomic.swap", Value: num(w.Swap)})
	case WRRDMAWrite, WRRDMARead, WRSend, WRBindMW:
	}
	if w.RemoteAddr != 0 || w.RKey != 0 {
		f = append(f, trace.Arg{Name: "remote_addr", Value: hex(w.RemoteAddr)},
			trace.Arg{Name: "rkey", Value: w.RKey.String()})
	}
	return f
}

func (w *RecvWR) fields() []trace.Arg {
	return append([]trace.Arg{{Name: "wr_id", Value: num(w.WRID)}}, sgFields(w.SGList)...)
}

func sgFields(list []SGE) []trace.Arg {
	f := make([]trace.Arg, 0, len(list)+1)
	for i, s := range list {
		f = append(f, trace.Arg{Name: fmt.Sprintf("sg_list[%d]", i), Fields: []trace.Arg{
			{Name: "addr", Value: hex(s.Addr)},
			{Name: "length", Value: num(s.Length)},
			{Name: "lkey", Value: s.LKey.String()},
		}})
	}
	return append(f, trace.Arg{Name: "num_sge", Value: num(len(list))})
}

func num[T int | uint8 | uint16 | uint32 | uint64](n T) string { return fmt.Sprintf("%d", n) }

func hex[T uint32 | uint64](n T) string { return fmt.Sprintf("0x%x", n) }

func boolText(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
