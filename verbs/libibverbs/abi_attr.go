//go:build linux && !android && (amd64 || arm64)

package libibverbs

import "structs"

type cDeviceAttr struct {
	_               structs.HostLayout
	fwVer           [64]byte `c:"fw_ver"`
	nodeGUID        [8]byte  `c:"node_guid"` // network order
	sysImageGUID    [8]byte  `c:"sys_image_guid"`
	maxMRSize       uint64   `c:"max_mr_size"`
	pageSizeCap     uint64   `c:"page_size_cap"`
	vendorID        uint32   `c:"vendor_id"`
	vendorPartID    uint32   `c:"vendor_part_id"`
	hwVer           uint32   `c:"hw_ver"`
	maxQP           int32    `c:"max_qp"`
	maxQPWR         int32    `c:"max_qp_wr"`
	capFlags        uint32   `c:"device_cap_flags"`
	maxSGE          int32    `c:"max_sge"`
	maxSGERD        int32    `c:"max_sge_rd"`
	maxCQ           int32    `c:"max_cq"`
	maxCQE          int32    `c:"max_cqe"`
	maxMR           int32    `c:"max_mr"`
	maxPD           int32    `c:"max_pd"`
	maxQPRDAtom     int32    `c:"max_qp_rd_atom"`
	_               [2]int32
	maxQPInitRDAtom int32 `c:"max_qp_init_rd_atom"`
	_               int32
	atomicCap       uint32 `c:"atomic_cap"`
	_               [8]int32
	maxAH           int32 `c:"max_ah"`
	_               [2]int32
	maxSRQ          int32 `c:"max_srq"`
	_               [2]int32
	maxPKeys        uint16 `c:"max_pkeys"`
	localCAAckDelay uint8  `c:"local_ca_ack_delay"`
	physPortCnt     uint8  `c:"phys_port_cnt"`
}

// cPortAttr grew over the years. ibv_query_port as exported fills it through
// flags; reserve keeps a longer one of a later library within our memory.
type cPortAttr struct {
	_           structs.HostLayout
	state       uint32 `c:"state"`
	maxMTU      uint32 `c:"max_mtu"`
	activeMTU   uint32 `c:"active_mtu"`
	gidTblLen   int32  `c:"gid_tbl_len"`
	capFlags    uint32 `c:"port_cap_flags"`
	maxMsgSz    uint32 `c:"max_msg_sz"`
	badPKeyCntr uint32 `c:"bad_pkey_cntr"`
	qkeyViol    uint32 `c:"qkey_viol_cntr"`
	pkeyTblLen  uint16 `c:"pkey_tbl_len"`
	lid         uint16 `c:"lid"`
	smLID       uint16 `c:"sm_lid"`
	lmc         uint8  `c:"lmc"`
	maxVLNum    uint8  `c:"max_vl_num"`
	smSL        uint8  `c:"sm_sl"`
	timeout     uint8  `c:"subnet_timeout"`
	initType    uint8  `c:"init_type_reply"`
	activeWidth uint8  `c:"active_width"`
	activeSpeed uint8  `c:"active_speed"`
	physState   uint8  `c:"phys_state"`
	linkLayer   uint8  `c:"link_layer"`
	flags       uint8  `c:"flags"`
	reserve     [80]byte
}

type cGIDEntry struct {
	_           structs.HostLayout
	gid         [16]byte `c:"gid"`
	gidIndex    uint32   `c:"gid_index"`
	portNum     uint32   `c:"port_num"`
	gidType     uint32   `c:"gid_type"`
	ndevIfindex uint32   `c:"ndev_ifindex"`
}

type cQPCap struct {
	_             structs.HostLayout
	maxSendWR     uint32 `c:"max_send_wr"`
	maxRecvWR     uint32 `c:"max_recv_wr"`
	maxSendSGE    uint32 `c:"max_send_sge"`
	maxRecvSGE    uint32 `c:"max_recv_sge"`
	maxInlineData uint32 `c:"max_inline_data"`
}

type cQPInitAttr struct {
	_         structs.HostLayout
	qpContext uintptr `c:"qp_context"`
	sendCQ    uintptr `c:"send_cq"`
	recvCQ    uintptr `c:"recv_cq"`
	srq       uintptr `c:"srq"`
	cap       cQPCap  `c:"cap"`
	qpType    uint32  `c:"qp_type"`
	sqSigAll  int32   `c:"sq_sig_all"`
}

type cAHAttr struct {
	_            structs.HostLayout
	_            alignment8
	dgid         [16]byte `c:"grh.dgid"`
	flowLabel    uint32   `c:"grh.flow_label"`
	sgidIndex    uint8    `c:"grh.sgid_index"`
	hopLimit     uint8    `c:"grh.hop_limit"`
	trafficClass uint8    `c:"grh.traffic_class"`
	_            uint8
	dlid         uint16 `c:"dlid"`
	sl           uint8  `c:"sl"`
	srcPathBits  uint8  `c:"src_path_bits"`
	staticRate   uint8  `c:"static_rate"`
	isGlobal     uint8  `c:"is_global"`
	portNum      uint8  `c:"port_num"`
}

type cQPAttr struct {
	_                structs.HostLayout
	state            uint32  `c:"qp_state"`
	curState         uint32  `c:"cur_qp_state"`
	pathMTU          uint32  `c:"path_mtu"`
	pathMigState     uint32  `c:"path_mig_state"`
	qkey             uint32  `c:"qkey"`
	rqPSN            uint32  `c:"rq_psn"`
	sqPSN            uint32  `c:"sq_psn"`
	destQPNum        uint32  `c:"dest_qp_num"`
	accessFlags      uint32  `c:"qp_access_flags"`
	cap              cQPCap  `c:"cap"`
	ah               cAHAttr `c:"ah_attr"`
	altAH            cAHAttr `c:"alt_ah_attr"`
	pkeyIndex        uint16  `c:"pkey_index"`
	altPKeyIndex     uint16  `c:"alt_pkey_index"`
	enSQDAsyncNotify uint8   `c:"en_sqd_async_notify"`
	sqDraining       uint8   `c:"sq_draining"`
	maxRDAtomic      uint8   `c:"max_rd_atomic"`
	maxDestRDAtomic  uint8   `c:"max_dest_rd_atomic"`
	minRNRTimer      uint8   `c:"min_rnr_timer"`
	portNum          uint8   `c:"port_num"`
	timeout          uint8   `c:"timeout"`
	retryCnt         uint8   `c:"retry_cnt"`
	rnrRetry         uint8   `c:"rnr_retry"`
	altPortNum       uint8   `c:"alt_port_num"`
	altTimeout       uint8   `c:"alt_timeout"`
	_                uint8
	rateLimit        uint32 `c:"rate_limit"`
	_                [4]byte
}

// alignment8 gives a structure the alignment that a uint64 inside union
// ibv_gid gives it in C.
type alignment8 [0]uint64
