//go:build linux && !android && (amd64 || arm64)

package libibverbs

import "structs"

type cSGE struct {
	_      structs.HostLayout
	addr   uint64 `c:"addr"`
	length uint32 `c:"length"`
	lkey   uint32 `c:"lkey"`
}

type cRecvWR struct {
	_      structs.HostLayout
	wrID   uint64  `c:"wr_id"`
	next   uintptr `c:"next"`
	sgList uintptr `c:"sg_list"`
	numSGE int32   `c:"num_sge"`
	_      [4]byte
}

// cSendWR has a union in wr: cRDMA or cAtomic.
type cSendWR struct {
	_      structs.HostLayout
	wrID   uint64    `c:"wr_id"`
	next   uintptr   `c:"next"`
	sgList uintptr   `c:"sg_list"`
	numSGE int32     `c:"num_sge"`
	opcode uint32    `c:"opcode"`
	flags  uint32    `c:"send_flags"`
	imm    uint32    `c:"imm_data"` // network order; or invalidate_rkey, in host order
	wr     [4]uint64 `c:"wr"`
	_      [7]uint64
}

type cRDMA struct {
	_          structs.HostLayout
	remoteAddr uint64 `c:"wr.rdma.remote_addr"`
	rkey       uint32 `c:"wr.rdma.rkey"`
}

type cAtomic struct {
	_          structs.HostLayout
	remoteAddr uint64 `c:"wr.atomic.remote_addr"`
	compareAdd uint64 `c:"wr.atomic.compare_add"`
	swap       uint64 `c:"wr.atomic.swap"`
	rkey       uint32 `c:"wr.atomic.rkey"`
}

type cWC struct {
	_            structs.HostLayout
	wrID         uint64 `c:"wr_id"`
	status       uint32 `c:"status"`
	opcode       uint32 `c:"opcode"`
	vendorErr    uint32 `c:"vendor_err"`
	byteLen      uint32 `c:"byte_len"`
	imm          uint32 `c:"imm_data"` // network order; or invalidated_rkey, in host order
	qpNum        uint32 `c:"qp_num"`
	srcQP        uint32 `c:"src_qp"`
	flags        uint32 `c:"wc_flags"`
	pkeyIndex    uint16 `c:"pkey_index"`
	slid         uint16 `c:"slid"`
	sl           uint8  `c:"sl"`
	dlidPathBits uint8  `c:"dlid_path_bits"`
	_            [2]byte
}
