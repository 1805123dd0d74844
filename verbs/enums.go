package verbs

//go:generate go run golang.org/x/tools/cmd/stringer@v0.48.0 -linecomment -output enums_string.go -type=QPState,QPType,MTU,PortState,PhysState,LinkLayer,GIDType,NodeType,WROpcode,WCOpcode,WCStatus,EventType,MigState

// The enumerations of <infiniband/verbs.h>, with their C names as text and
// their C values: a number on the screen means the same as in a C program.

// QPState is the state of a queue pair (enum ibv_qp_state; IBTA vol. 1, 10.3.1).
type QPState uint32

// The states of a queue pair.
const (
	QPSReset   QPState = iota // IBV_QPS_RESET
	QPSInit                   // IBV_QPS_INIT
	QPSRTR                    // IBV_QPS_RTR
	QPSRTS                    // IBV_QPS_RTS
	QPSSQD                    // IBV_QPS_SQD
	QPSSQE                    // IBV_QPS_SQE
	QPSErr                    // IBV_QPS_ERR
	QPSUnknown                // IBV_QPS_UNKNOWN
)

// QPType is the transport service of a queue pair (enum ibv_qp_type).
type QPType uint32

// The transport services.
const (
	QPTRC        QPType = 2  // IBV_QPT_RC
	QPTUC        QPType = 3  // IBV_QPT_UC
	QPTUD        QPType = 4  // IBV_QPT_UD
	QPTRawPacket QPType = 8  // IBV_QPT_RAW_PACKET
	QPTXRCSend   QPType = 9  // IBV_QPT_XRC_SEND
	QPTXRCRecv   QPType = 10 // IBV_QPT_XRC_RECV
)

// MTU is a path MTU as the verbs encode it (enum ibv_mtu).
type MTU uint32

// The path MTUs.
const (
	MTU256  MTU = iota + 1 // IBV_MTU_256
	MTU512                 // IBV_MTU_512
	MTU1024                // IBV_MTU_1024
	MTU2048                // IBV_MTU_2048
	MTU4096                // IBV_MTU_4096
)

// Bytes returns the payload bytes of one full packet, or 0 for an unknown code.
func (m MTU) Bytes() int {
	if m < MTU256 || m > MTU4096 {
		return 0
	}
	return 128 << m
}

// MTUOf returns the code of a path MTU given in bytes, and false for any
// number but 256, 512, 1024, 2048 and 4096.
func MTUOf(bytes int) (MTU, bool) {
	for m := MTU256; m <= MTU4096; m++ {
		if m.Bytes() == bytes {
			return m, true
		}
	}
	return 0, false
}

// PortState is the logical state of a port (enum ibv_port_state).
type PortState uint32

// The logical states of a port.
const (
	PortNOP         PortState = iota // IBV_PORT_NOP
	PortDown                         // IBV_PORT_DOWN
	PortInit                         // IBV_PORT_INIT
	PortArmed                        // IBV_PORT_ARMED
	PortActive                       // IBV_PORT_ACTIVE
	PortActiveDefer                  // IBV_PORT_ACTIVE_DEFER
)

// PhysState is the physical state of a port (IBTA vol. 1, 14.2.5.6).
// libibverbs has the numbers without names; the text is the specification's.
type PhysState uint8

// The physical states of a port.
const (
	PhysSleep             PhysState = iota + 1 // Sleep
	PhysPolling                                // Polling
	PhysDisabled                               // Disabled
	PhysConfigTraining                         // PortConfigurationTraining
	PhysLinkUp                                 // LinkUp
	PhysLinkErrorRecovery                      // LinkErrorRecovery
	PhysTest                                   // PhyTest
)

// LinkLayer is what lies under the transport (IBV_LINK_LAYER_*).
type LinkLayer uint8

// The link layers.
const (
	LinkUnspecified LinkLayer = iota // IBV_LINK_LAYER_UNSPECIFIED
	LinkInfiniBand                   // IBV_LINK_LAYER_INFINIBAND
	LinkEthernet                     // IBV_LINK_LAYER_ETHERNET
)

// GIDType is the protocol a GID table entry stands for (enum ibv_gid_type).
type GIDType uint32

// The protocols of a GID.
const (
	GIDTypeIB     GIDType = iota // IBV_GID_TYPE_IB
	GIDTypeRoCEv1                // IBV_GID_TYPE_ROCE_V1
	GIDTypeRoCEv2                // IBV_GID_TYPE_ROCE_V2
)

// NodeType is the kind of a device (enum ibv_node_type).
type NodeType int32

// The kinds of devices. An RNIC speaks iWARP.
const (
	NodeUnknown NodeType = -1 // IBV_NODE_UNKNOWN
	NodeCA      NodeType = 1  // IBV_NODE_CA
	NodeSwitch  NodeType = 2  // IBV_NODE_SWITCH
	NodeRouter  NodeType = 3  // IBV_NODE_ROUTER
	NodeRNIC    NodeType = 4  // IBV_NODE_RNIC
)

// WROpcode is the operation of a send work request (enum ibv_wr_opcode).
type WROpcode uint32

// The operations of the send queue.
const (
	WRRDMAWrite         WROpcode = iota // IBV_WR_RDMA_WRITE
	WRRDMAWriteWithImm                  // IBV_WR_RDMA_WRITE_WITH_IMM
	WRSend                              // IBV_WR_SEND
	WRSendWithImm                       // IBV_WR_SEND_WITH_IMM
	WRRDMARead                          // IBV_WR_RDMA_READ
	WRAtomicCmpAndSwp                   // IBV_WR_ATOMIC_CMP_AND_SWP
	WRAtomicFetchAndAdd                 // IBV_WR_ATOMIC_FETCH_AND_ADD
	WRLocalInv                          // IBV_WR_LOCAL_INV
	WRBindMW                            // IBV_WR_BIND_MW
	WRSendWithInv                       // IBV_WR_SEND_WITH_INV
)

// WCOpcode is the operation a completion reports (enum ibv_wc_opcode).
type WCOpcode uint32

// The operations of a completion. WCRecv is also a bit: every receive has it.
const (
	WCSend            WCOpcode = iota // IBV_WC_SEND
	WCRDMAWrite                       // IBV_WC_RDMA_WRITE
	WCRDMARead                        // IBV_WC_RDMA_READ
	WCCompSwap                        // IBV_WC_COMP_SWAP
	WCFetchAdd                        // IBV_WC_FETCH_ADD
	WCBindMW                          // IBV_WC_BIND_MW
	WCLocalInv                        // IBV_WC_LOCAL_INV
	WCRecv            WCOpcode = 128  // IBV_WC_RECV
	WCRecvRDMAWithImm WCOpcode = 129  // IBV_WC_RECV_RDMA_WITH_IMM
)

// WCStatus is the outcome of a work request (enum ibv_wc_status; IBTA vol. 1, 10.10.2).
type WCStatus uint32

// The outcomes of a work request.
const (
	WCSuccess          WCStatus = iota // IBV_WC_SUCCESS
	WCLocLenErr                        // IBV_WC_LOC_LEN_ERR
	WCLocQPOpErr                       // IBV_WC_LOC_QP_OP_ERR
	WCLocEECOpErr                      // IBV_WC_LOC_EEC_OP_ERR
	WCLocProtErr                       // IBV_WC_LOC_PROT_ERR
	WCWRFlushErr                       // IBV_WC_WR_FLUSH_ERR
	WCMWBindErr                        // IBV_WC_MW_BIND_ERR
	WCBadRespErr                       // IBV_WC_BAD_RESP_ERR
	WCLocAccessErr                     // IBV_WC_LOC_ACCESS_ERR
	WCRemInvReqErr                     // IBV_WC_REM_INV_REQ_ERR
	WCRemAccessErr                     // IBV_WC_REM_ACCESS_ERR
	WCRemOpErr                         // IBV_WC_REM_OP_ERR
	WCRetryExcErr                      // IBV_WC_RETRY_EXC_ERR
	WCRNRRetryExcErr                   // IBV_WC_RNR_RETRY_EXC_ERR
	WCLocRDDViolErr                    // IBV_WC_LOC_RDD_VIOL_ERR
	WCRemInvRDReqErr                   // IBV_WC_REM_INV_RD_REQ_ERR
	WCRemAbortErr                      // IBV_WC_REM_ABORT_ERR
	WCInvEECNErr                       // IBV_WC_INV_EECN_ERR
	WCInvEECStateErr                   // IBV_WC_INV_EEC_STATE_ERR
	WCFatalErr                         // IBV_WC_FATAL_ERR
	WCRespTimeoutErr                   // IBV_WC_RESP_TIMEOUT_ERR
	WCGeneralErr                       // IBV_WC_GENERAL_ERR
	WCTMErr                            // IBV_WC_TM_ERR
	WCTMRndvIncomplete                 // IBV_WC_TM_RNDV_INCOMPLETE
)

// EventType is the kind of an asynchronous event (enum ibv_event_type).
type EventType uint32

// The kinds of asynchronous events.
const (
	EventCQErr            EventType = iota // IBV_EVENT_CQ_ERR
	EventQPFatal                           // IBV_EVENT_QP_FATAL
	EventQPReqErr                          // IBV_EVENT_QP_REQ_ERR
	EventQPAccessErr                       // IBV_EVENT_QP_ACCESS_ERR
	EventCommEst                           // IBV_EVENT_COMM_EST
	EventSQDrained                         // IBV_EVENT_SQ_DRAINED
	EventPathMig                           // IBV_EVENT_PATH_MIG
	EventPathMigErr                        // IBV_EVENT_PATH_MIG_ERR
	EventDeviceFatal                       // IBV_EVENT_DEVICE_FATAL
	EventPortActive                        // IBV_EVENT_PORT_ACTIVE
	EventPortErr                           // IBV_EVENT_PORT_ERR
	EventLIDChange                         // IBV_EVENT_LID_CHANGE
	EventPKeyChange                        // IBV_EVENT_PKEY_CHANGE
	EventSMChange                          // IBV_EVENT_SM_CHANGE
	EventSRQErr                            // IBV_EVENT_SRQ_ERR
	EventSRQLimitReached                   // IBV_EVENT_SRQ_LIMIT_REACHED
	EventQPLastWQEReached                  // IBV_EVENT_QP_LAST_WQE_REACHED
	EventClientReregister                  // IBV_EVENT_CLIENT_REREGISTER
	EventGIDChange                         // IBV_EVENT_GID_CHANGE
	EventWQFatal                           // IBV_EVENT_WQ_FATAL
)

// MigState is the path migration state of a queue pair (enum ibv_mig_state).
type MigState uint32

// The path migration states.
const (
	MigMigrated MigState = iota // IBV_MIG_MIGRATED
	MigRearm                    // IBV_MIG_REARM
	MigArmed                    // IBV_MIG_ARMED
)
