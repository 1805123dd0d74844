//go:build linux && !android && (amd64 || arm64)

package libibverbs

import "structs"

// The structures of <infiniband/verbs.h>, field by field; the tag is the name
// in C. Of the objects that only the library allocates (device to QP) this has
// the part that is read, which ends before the first pthread_mutex_t: its size
// depends on the architecture. abi_test.go compares all of it with C.

type cDevice struct {
	_             structs.HostLayout
	ops           [2]uintptr
	nodeType      int32     `c:"node_type"`
	transportType int32     `c:"transport_type"`
	name          [64]byte  `c:"name"`
	devName       [64]byte  `c:"dev_name"`
	devPath       [256]byte `c:"dev_path"`
	ibdevPath     [256]byte `c:"ibdev_path"`
}

// cContext holds the function pointers of the data path: ops.poll_cq and so
// on. The others in struct ibv_context_ops are not meant for programs.
type cContext struct {
	_           structs.HostLayout
	device      uintptr `c:"device"`
	_           [11]uintptr
	pollCQ      uintptr `c:"ops.poll_cq"`
	reqNotifyCQ uintptr `c:"ops.req_notify_cq"`
	_           [12]uintptr
	postSend    uintptr `c:"ops.post_send"`
	postRecv    uintptr `c:"ops.post_recv"`
	_           [5]uintptr
	cmdFD       int32 `c:"cmd_fd"`
	asyncFD     int32 `c:"async_fd"`
}

type cMR struct {
	_      structs.HostLayout
	_      [4]uintptr
	handle uint32 `c:"handle"`
	lkey   uint32 `c:"lkey"`
	rkey   uint32 `c:"rkey"`
}

type cCompChannel struct {
	_       structs.HostLayout
	context uintptr `c:"context"`
	fd      int32   `c:"fd"`
}

type cCQ struct {
	_         structs.HostLayout
	context   uintptr `c:"context"`
	channel   uintptr `c:"channel"`
	cqContext uintptr `c:"cq_context"`
	handle    uint32  `c:"handle"`
	cqe       int32   `c:"cqe"`
}

type cQP struct {
	_      structs.HostLayout
	_      [6]uintptr
	handle uint32 `c:"handle"`
	qpNum  uint32 `c:"qp_num"`
	state  uint32 `c:"state"`
	qpType uint32 `c:"qp_type"`
}

type cAsyncEvent struct {
	_         structs.HostLayout
	element   uintptr `c:"element"` // a union of pointers and of port_num
	eventType uint32  `c:"event_type"`
}
