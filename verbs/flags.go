package verbs

import (
	"fmt"
	"strings"
)

// AccessFlags says who may do what with a memory region or through a queue
// pair (enum ibv_access_flags). Local reading is always allowed.
type AccessFlags uint32

// The access rights.
const (
	AccessLocalWrite   AccessFlags = 1 << iota // a receive or READ may write here
	AccessRemoteWrite                          // the peer may RDMA WRITE
	AccessRemoteRead                           // the peer may RDMA READ
	AccessRemoteAtomic                         // the peer may use atomics
	AccessMWBind                               // memory windows may be bound
	AccessZeroBased                            // addresses start at 0
	AccessOnDemand                             // pages are not pinned
)

var accessNames = []string{
	"IBV_ACCESS_LOCAL_WRITE", "IBV_ACCESS_REMOTE_WRITE", "IBV_ACCESS_REMOTE_READ",
	"IBV_ACCESS_REMOTE_ATOMIC", "IBV_ACCESS_MW_BIND", "IBV_ACCESS_ZERO_BASED", "IBV_ACCESS_ON_DEMAND",
}

// String returns the C expression, such as "IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ", or "0".
func (f AccessFlags) String() string { return flagText(uint64(f), accessNames) }

// SendFlags modifies a send work request (enum ibv_send_flags).
type SendFlags uint32

// The modifiers of a send.
const (
	SendFence     SendFlags = 1 << iota // wait for earlier READs and atomics
	SendSignaled                        // report success with a completion
	SendSolicited                       // wake a peer that waits for solicited events
	SendInline                          // copy the data into the work request
)

var sendNames = []string{"IBV_SEND_FENCE", "IBV_SEND_SIGNALED", "IBV_SEND_SOLICITED", "IBV_SEND_INLINE"}

// String returns the C expression, such as "IBV_SEND_SIGNALED", or "0".
func (f SendFlags) String() string { return flagText(uint64(f), sendNames) }

// WCFlags tells which optional fields of a completion are valid (enum ibv_wc_flags).
type WCFlags uint32

// The optional parts of a completion.
const (
	WCWithGRH  WCFlags = 1 << iota // a GRH precedes the payload (UD)
	WCWithImm                      // Imm is valid
	WCIPCsumOK                     // the checksum was verified
	WCWithInv                      // the peer invalidated a key
)

var wcFlagNames = []string{"IBV_WC_GRH", "IBV_WC_WITH_IMM", "IBV_WC_IP_CSUM_OK", "IBV_WC_WITH_INV"}

// String returns the C expression, such as "IBV_WC_WITH_IMM", or "0".
func (f WCFlags) String() string { return flagText(uint64(f), wcFlagNames) }

// AttrMask selects fields of QPAttr (enum ibv_qp_attr_mask).
type AttrMask uint32

// The fields of QPAttr.
const (
	AttrState AttrMask = 1 << iota
	AttrCurState
	AttrEnSQDAsyncNotify
	AttrAccessFlags
	AttrPKeyIndex
	AttrPort
	AttrQKey
	AttrAV
	AttrPathMTU
	AttrTimeout
	AttrRetryCnt
	AttrRNRRetry
	AttrRQPSN
	AttrMaxQPRDAtomic
	AttrAltPath
	AttrMinRNRTimer
	AttrSQPSN
	AttrMaxDestRDAtomic
	AttrPathMigState
	AttrCap
	AttrDestQPN
)

var attrNames = []string{
	"IBV_QP_STATE", "IBV_QP_CUR_STATE", "IBV_QP_EN_SQD_ASYNC_NOTIFY", "IBV_QP_ACCESS_FLAGS",
	"IBV_QP_PKEY_INDEX", "IBV_QP_PORT", "IBV_QP_QKEY", "IBV_QP_AV", "IBV_QP_PATH_MTU",
	"IBV_QP_TIMEOUT", "IBV_QP_RETRY_CNT", "IBV_QP_RNR_RETRY", "IBV_QP_RQ_PSN",
	"IBV_QP_MAX_QP_RD_ATOMIC", "IBV_QP_ALT_PATH", "IBV_QP_MIN_RNR_TIMER", "IBV_QP_SQ_PSN",
	"IBV_QP_MAX_DEST_RD_ATOMIC", "IBV_QP_PATH_MIG_STATE", "IBV_QP_CAP", "IBV_QP_DEST_QPN",
}

// String returns the C expression, such as "IBV_QP_STATE | IBV_QP_PORT", or "0".
func (m AttrMask) String() string { return flagText(uint64(m), attrNames) }

// Names returns the C name of every bit set, in the order of the bits.
func (m AttrMask) Names() []string { return flagNames(uint64(m), attrNames) }

func flagText(bits uint64, names []string) string {
	if bits == 0 {
		return "0"
	}
	return strings.Join(flagNames(bits, names), " | ")
}

func flagNames(bits uint64, names []string) []string {
	var set []string
	for i, name := range names {
		if bits&(1<<i) != 0 {
			set = append(set, name)
			bits &^= 1 << i
		}
	}
	if bits != 0 {
		set = append(set, fmt.Sprintf("0x%x", bits))
	}
	return set
}
