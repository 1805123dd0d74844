package verbs

import "ibtour/verbs/trace"

// DeviceInfo is what is known of a device before it is opened
// (struct ibv_device).
type DeviceInfo struct {
	Name      string   // rxe0, mlx5_0, soft0
	NodeType  NodeType // NodeRNIC means iWARP
	Transport string   // "IB" or "iWARP", or the number
	GUID      GUID     // 0 if the device does not say
	UVerbs    string   // /dev/infiniband/uverbs0, empty for the embedded device
	SysPath   string   // /sys/class/infiniband/rxe0, empty for the embedded device
}

// DeviceAttr holds the limits of a device (struct ibv_device_attr).
type DeviceAttr struct {
	FWVer           string
	NodeGUID        GUID
	SysImageGUID    GUID
	MaxMRSize       uint64
	PageSizeCap     uint64
	VendorID        uint32
	VendorPartID    uint32
	HWVer           uint32
	MaxQP           int
	MaxQPWR         int
	CapFlags        uint32
	MaxSGE          int
	MaxSGERD        int
	MaxCQ           int
	MaxCQE          int
	MaxMR           int
	MaxPD           int
	MaxQPRDAtom     int // READs and atomics a QP can answer at a time
	MaxQPInitRDAtom int // READs and atomics a QP can have outstanding
	AtomicCap       uint32
	MaxAH           int
	MaxSRQ          int
	MaxPKeys        uint16
	LocalCAAckDelay uint8
	PhysPortCnt     uint8
}

// PortAttr is the state of one port (struct ibv_port_attr).
type PortAttr struct {
	State       PortState
	MaxMTU      MTU
	ActiveMTU   MTU
	GIDTblLen   int
	CapFlags    uint32
	MaxMsgSz    uint32
	BadPKeyCntr uint32
	QKeyViol    uint32
	PKeyTblLen  uint16
	LID         LID
	SMLID       LID
	LMC         uint8
	MaxVLNum    uint8
	SMSL        uint8
	Timeout     uint8
	InitType    uint8
	ActiveWidth uint8 // 1: 1X, 2: 4X, 4: 8X, 8: 12X, 16: 2X
	ActiveSpeed uint8 // 1: SDR 2: DDR 4: QDR 8: FDR10 16: FDR 32: EDR 64: HDR 128: NDR
	PhysState   PhysState
	LinkLayer   LinkLayer
	Flags       uint8
}

// GIDEntry is one entry of a port's GID table (struct ibv_gid_entry). Type is
// what the entry stands for; NetdevIndex is the interface it belongs to, 0 if
// none.
type GIDEntry struct {
	GID         GID
	Index       int
	Port        uint8
	Type        GIDType
	NetdevIndex int
}

// GlobalRoute is the part of an address that crosses subnets
// (struct ibv_global_route). On RoCE it becomes the IP header.
type GlobalRoute struct {
	DGID         GID
	FlowLabel    uint32
	SGIDIndex    uint8
	HopLimit     uint8
	TrafficClass uint8
}

// AHAttr is the address of a peer (struct ibv_ah_attr).
type AHAttr struct {
	GRH         GlobalRoute
	DLID        LID
	SL          uint8
	SrcPathBits uint8
	StaticRate  uint8
	IsGlobal    bool
	PortNum     uint8
}

// QPCap is the capacity of a queue pair (struct ibv_qp_cap).
type QPCap struct {
	MaxSendWR     uint32
	MaxRecvWR     uint32
	MaxSendSGE    uint32
	MaxRecvSGE    uint32
	MaxInlineData uint32
}

// QPAttr holds the attributes of a queue pair (struct ibv_qp_attr). An
// AttrMask tells which of them are meant.
type QPAttr struct {
	State            QPState
	CurState         QPState
	PathMTU          MTU
	PathMigState     MigState
	QKey             QKey
	RQPSN            PSN
	SQPSN            PSN
	DestQPN          QPN
	AccessFlags      AccessFlags
	Cap              QPCap
	AH               AHAttr
	AltAH            AHAttr
	PKeyIndex        uint16
	AltPKeyIndex     uint16
	EnSQDAsyncNotify bool
	SQDraining       bool
	MaxRDAtomic      uint8
	MaxDestRDAtomic  uint8
	MinRNRTimer      uint8 // code of IBTA vol. 1, table 45: 12 is 0.64 ms
	PortNum          uint8
	Timeout          uint8 // 4.096 µs × 2^Timeout; 0 is for ever
	RetryCnt         uint8
	RNRRetry         uint8 // 7 is for ever
	AltPortNum       uint8
	AltTimeout       uint8
}

// AsyncEvent is something that happened to a device outside any work request
// (struct ibv_async_event).
type AsyncEvent struct {
	Type EventType
	QPN  QPN   // of the queue pair concerned, 0 if none
	Port uint8 // the port concerned, 0 if none
	// Element is the driver's object the event is about, to acknowledge it.
	Element Handle
}

// Fields returns the attributes a mask selects, in C form and in the order of
// the C structure.
func (a *QPAttr) Fields(mask AttrMask) []trace.Arg {
	var f []trace.Arg
	add := func(bit AttrMask, name string, value string) {
		if mask&bit != 0 {
			f = append(f, trace.Arg{Name: name, Value: value})
		}
	}
	add(AttrState, "qp_state", a.State.String())
	add(AttrCurState, "cur_qp_state", a.CurState.String())
	add(AttrPathMTU, "path_mtu", a.PathMTU.String())
	add(AttrPathMigState, "path_mig_state", a.PathMigState.String())
	add(AttrQKey, "qkey", a.QKey.String())
	add(AttrRQPSN, "rq_psn", a.RQPSN.String())
	add(AttrSQPSN, "sq_psn", a.SQPSN.String())
	add(AttrDestQPN, "dest_qp_num", a.DestQPN.String())
	add(AttrAccessFlags, "qp_access_flags", a.AccessFlags.String())
	if mask&AttrCap != 0 {
		f = append(f, trace.Arg{Name: "cap", Fields: a.Cap.fields()})
	}
	if mask&AttrAV != 0 {
		f = append(f, trace.Arg{Name: "ah_attr", Fields: a.AH.fields()})
	}
	if mask&AttrAltPath != 0 {
		f = append(f, trace.Arg{Name: "alt_ah_attr", Fields: a.AltAH.fields()})
	}
	add(AttrPKeyIndex, "pkey_index", num(a.PKeyIndex))
	add(AttrAltPath, "alt_pkey_index", num(a.AltPKeyIndex))
	add(AttrEnSQDAsyncNotify, "en_sqd_async_notify", boolText(a.EnSQDAsyncNotify))
	add(AttrMaxQPRDAtomic, "max_rd_atomic", num(a.MaxRDAtomic))
	add(AttrMaxDestRDAtomic, "max_dest_rd_atomic", num(a.MaxDestRDAtomic))
	add(AttrMinRNRTimer, "min_rnr_timer", num(a.MinRNRTimer))
	add(AttrPort, "port_num", num(a.PortNum))
	add(AttrTimeout, "timeout", num(a.Timeout))
	add(AttrRetryCnt, "retry_cnt", num(a.RetryCnt))
	add(AttrRNRRetry, "rnr_retry", num(a.RNRRetry))
	add(AttrAltPath, "alt_port_num", num(a.AltPortNum))
	add(AttrAltPath, "alt_timeout", num(a.AltTimeout))
	return f
}

func (c *QPCap) fields() []trace.Arg {
	return []trace.Arg{
		{Name: "max_send_wr", Value: num(c.MaxSendWR)},
		{Name: "max_recv_wr", Value: num(c.MaxRecvWR)},
		{Name: "max_send_sge", Value: num(c.MaxSendSGE)},
		{Name: "max_recv_sge", Value: num(c.MaxRecvSGE)},
		{Name: "max_inline_data", Value: num(c.MaxInlineData)},
	}
}

func (a *AHAttr) fields() []trace.Arg {
	f := []trace.Arg{{Name: "is_global", Value: boolText(a.IsGlobal)}}
	if a.IsGlobal {
		f = append(f, trace.Arg{Name: "grh", Fields: []trace.Arg{
			{Name: "dgid", Value: a.GRH.DGID.String()},
			{Name: "sgid_index", Value: num(a.GRH.SGIDIndex)},
			{Name: "hop_limit", Value: num(a.GRH.HopLimit)},
		}})
	}
	return append(f,
		trace.Arg{Name: "dlid", Value: a.DLID.String()},
		trace.Arg{Name: "sl", Value: num(a.SL)},
		trace.Arg{Name: "src_path_bits", Value: num(a.SrcPathBits)},
		trace.Arg{Name: "port_num", Value: num(a.PortNum)},
	)
}
