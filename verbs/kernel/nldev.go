package kernel

// The numbers of <rdma/rdma_netlink.h> that this package uses.

const (
	// familyRDMA is NETLINK_RDMA of <linux/netlink.h>.
	familyRDMA = 20
	// clientNLDEV is RDMA_NL_NLDEV, the client that rdma(8) talks to. The type
	// of a message is RDMA_NL_GET_TYPE(client, op) = (client << 10) + op.
	clientNLDEV = 5
	clientShift = 10
)

// command is an enum rdma_nldev_command.
type command uint16

const (
	cmdGet        command = 1  // RDMA_NLDEV_CMD_GET
	cmdPortGet    command = 5  // RDMA_NLDEV_CMD_PORT_GET
	cmdSysGet     command = 6  // RDMA_NLDEV_CMD_SYS_GET
	cmdResGet     command = 9  // RDMA_NLDEV_CMD_RES_GET
	cmdResQPGet   command = 10 // RDMA_NLDEV_CMD_RES_QP_GET
	cmdResCMGet   command = 11 // RDMA_NLDEV_CMD_RES_CM_ID_GET
	cmdResCQGet   command = 12 // RDMA_NLDEV_CMD_RES_CQ_GET
	cmdResMRGet   command = 13 // RDMA_NLDEV_CMD_RES_MR_GET
	cmdResPDGet   command = 14 // RDMA_NLDEV_CMD_RES_PD_GET
	cmdGetChardev command = 15 // RDMA_NLDEV_CMD_GET_CHARDEV, Linux 5.1
	cmdStatGet    command = 17 // RDMA_NLDEV_CMD_STAT_GET
	cmdResCtxGet  command = 22 // RDMA_NLDEV_CMD_RES_CTX_GET, Linux 5.14
	cmdResSRQGet  command = 23 // RDMA_NLDEV_CMD_RES_SRQ_GET, Linux 5.14
)

// String returns what the command asks for, for errors.
func (c command) String() string {
	names := map[command]string{
		cmdGet: "devices", cmdPortGet: "ports", cmdSysGet: "system settings", cmdResGet: "resource counts",
		cmdResQPGet: "queue pairs", cmdResCMGet: "connection identifiers", cmdResCQGet: "completion queues",
		cmdResMRGet: "memory regions", cmdResPDGet: "protection domains", cmdStatGet: "counters",
		cmdResCtxGet: "contexts", cmdResSRQGet: "shared receive queues", cmdGetChardev: "character device",
	}
	return names[c]
}

// The attributes, enum rdma_nldev_attr without its prefix RDMA_NLDEV_ATTR_.
// The kernel sends the tables without NLA_F_NESTED: only the number tells.
const (
	attrDevIndex    = 1  // DEV_INDEX, u32
	attrDevName     = 2  // DEV_NAME, string
	attrPortIndex   = 3  // PORT_INDEX, u32; of a device, the number of ports
	attrCapFlags    = 4  // CAP_FLAGS, u64
	attrFWVersion   = 5  // FW_VERSION, string
	attrNodeGUID    = 6  // NODE_GUID, u64
	attrSysGUID     = 7  // SYS_IMAGE_GUID, u64
	attrPrefix      = 8  // SUBNET_PREFIX, u64
	attrLID         = 9  // LID, u32
	attrSMLID       = 10 // SM_LID, u32
	attrLMC         = 11 // LMC, u8
	attrPortState   = 12 // PORT_STATE, u8
	attrPhysState   = 13 // PORT_PHYS_STATE, u8
	attrNodeType    = 14 // DEV_NODE_TYPE, u8
	attrSummary     = 15 // RES_SUMMARY, table
	attrSummaryItem = 16 // RES_SUMMARY_ENTRY
	attrSummaryName = 17 // RES_SUMMARY_ENTRY_NAME, string
	attrSummaryCurr = 18 // RES_SUMMARY_ENTRY_CURR, u64

	attrQPTable    = 19 // RES_QP, table
	attrQPItem     = 20 // RES_QP_ENTRY
	attrLQPN       = 21 // RES_LQPN, u32
	attrRQPN       = 22 // RES_RQPN, u32
	attrRQPSN      = 23 // RES_RQ_PSN, u32
	attrSQPSN      = 24 // RES_SQ_PSN, u32
	attrPathMig    = 25 // RES_PATH_MIG_STATE, u8
	attrType       = 26 // RES_TYPE, u8
	attrState      = 27 // RES_STATE, u8
	attrPID        = 28 // RES_PID, u32: of a thread, see Owner
	attrKernelName = 29 // RES_KERN_NAME, string

	attrCMTable = 30 // RES_CM_ID, table
	attrCMItem  = 31 // RES_CM_ID_ENTRY
	attrPS      = 32 // RES_PS, u32
	attrSrcAddr = 33 // RES_SRC_ADDR, struct __kernel_sockaddr_storage
	attrDstAddr = 34 // RES_DST_ADDR, struct __kernel_sockaddr_storage

	attrCQTable = 35 // RES_CQ, table
	attrCQItem  = 36 // RES_CQ_ENTRY
	attrCQE     = 37 // RES_CQE, u32
	attrUses    = 38 // RES_USECNT, u64
	attrPollCtx = 39 // RES_POLL_CTX, u8

	attrMRTable = 40 // RES_MR, table
	attrMRItem  = 41 // RES_MR_ENTRY
	attrRKey    = 42 // RES_RKEY, u32
	attrLKey    = 43 // RES_LKEY, u32
	attrIOVA    = 44 // RES_IOVA, u64
	attrMRLen   = 45 // RES_MRLEN, u64

	attrPDTable    = 46 // RES_PD, table
	attrPDItem     = 47 // RES_PD_ENTRY
	attrLocalLKey  = 48 // RES_LOCAL_DMA_LKEY, u32
	attrGlobalRKey = 49 // RES_UNSAFE_GLOBAL_RKEY, u32

	attrNetdevIndex = 50 // NDEV_INDEX, u32
	attrNetdevName  = 51 // NDEV_NAME, string

	attrPDN         = 60 // RES_PDN, u32
	attrCQN         = 61 // RES_CQN, u32
	attrMRN         = 62 // RES_MRN, u32
	attrCMIDN       = 63 // RES_CM_IDN, u32
	attrCtxN        = 64 // RES_CTXN, u32
	attrNetnsMode   = 66 // RDMA_NLDEV_SYS_ATTR_NETNS_MODE, u8
	attrProtocol    = 67 // DEV_PROTOCOL, string
	attrChardevType = 69 // CHARDEV_TYPE, string
	attrDriverID    = 73 // UVERBS_DRIVER_ID, u32
	attrStatTable   = 80 // STAT_HWCOUNTERS, table
	attrStatItem    = 81 // STAT_HWCOUNTER_ENTRY
	attrStatName    = 82 // STAT_HWCOUNTER_ENTRY_NAME, string
	attrStatValue   = 83 // STAT_HWCOUNTER_ENTRY_VALUE, u64
	attrDIM         = 84 // DEV_DIM, u8
	attrCtxTable    = 86 // RES_CTX, table
	attrCtxItem     = 87 // RES_CTX_ENTRY
	attrSRQTable    = 88 // RES_SRQ, table
	attrSRQItem     = 89 // RES_SRQ_ENTRY
	attrSRQN        = 90 // RES_SRQN, u32
	attrMinRange    = 91 // MIN_RANGE, u32
	attrMaxRange    = 92 // MAX_RANGE, u32
	attrCopyOnFork  = 93 // RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, u8
)
