package kernel

import (
	"encoding/binary"
	"fmt"
)

// A command to an RDMA device is an ioctl on /dev/infiniband/uverbsN with the
// request RDMA_VERBS_IOCTL, whose argument begins with struct
// ib_uverbs_ioctl_hdr (include/uapi/rdma/rdma_user_ioctl_cmds.h):
//
//	 0               2               4               6               8
//	+---------------+---------------+---------------+---------------+
//	| length        | object_id     | method_id     | num_attrs     |
//	+---------------+---------------+---------------+---------------+
//	| reserved1                                                     |
//	+-------------------------------+-------------------------------+
//	| driver_id                     | reserved2                     |
//	+-------------------------------+-------------------------------+
//	| attributes of 16 bytes: attr_id, len, flags, 2 bytes, data 8  |
//
// or, the older way, a write whose bytes begin with struct ib_uverbs_cmd_hdr
// (ib_user_verbs.h): command 4 bytes, in_words 2, out_words 2. The method
// INVOKE_WRITE is an old command in the new form.
const (
	rdmaVerbsIoctl = 0xc0181b01 // _IOWR(RDMA_IOCTL_MAGIC, 1, struct ib_uverbs_ioctl_hdr)

	ioctlHeader    = 24
	ioctlAttribute = 16
	writeHeader    = 8

	objectDevice = 0 // UVERBS_OBJECT_DEVICE
	invokeWrite  = 0 // UVERBS_METHOD_INVOKE_WRITE
	attrWriteCmd = 2 // UVERBS_ATTR_WRITE_CMD: the number is in the attribute

	driverNamespace = 1 << 12    // UVERBS_ID_NS_SHIFT: numbers of a driver's own
	cmdExtended     = 0x80000000 // IB_USER_VERBS_CMD_FLAG_EXTENDED
	cmdMask         = 0xff       // IB_USER_VERBS_CMD_COMMAND_MASK
)

// uverbsObjects are enum uverbs_default_objects and the methods of each, from
// include/uapi/rdma/ib_user_ioctl_cmds.h.
var uverbsObjects = []struct {
	name    string
	methods []string
}{
	{"DEVICE", []string{"INVOKE_WRITE", "INFO_HANDLES", "QUERY_PORT", "GET_CONTEXT", "QUERY_CONTEXT", "QUERY_GID_TABLE", "QUERY_GID_ENTRY"}},
	{"PD", []string{"PD_DESTROY"}},
	{"COMP_CHANNEL", nil},
	{"CQ", []string{"CQ_CREATE", "CQ_DESTROY"}},
	{"QP", []string{"QP_CREATE", "QP_DESTROY"}},
	{"SRQ", []string{"SRQ_CREATE", "SRQ_DESTROY"}},
	{"AH", []string{"AH_DESTROY"}},
	{"MR", []string{"DM_MR_REG", "MR_DESTROY", "ADVISE_MR", "QUERY_MR", "REG_DMABUF_MR"}},
	{"MW", []string{"MW_DESTROY"}},
	{"FLOW", []string{"FLOW_DESTROY"}},
	{"XRCD", []string{"XRCD_DESTROY"}},
	{"RWQ_IND_TBL", []string{"RWQ_IND_TBL_DESTROY"}},
	{"WQ", []string{"WQ_CREATE", "WQ_DESTROY"}},
	{"FLOW_ACTION", []string{"FLOW_ACTION_ESP_CREATE", "FLOW_ACTION_DESTROY", "FLOW_ACTION_ESP_MODIFY"}},
	{"DM", []string{"DM_ALLOC", "DM_FREE"}},
	{"COUNTERS", []string{"COUNTERS_CREATE", "COUNTERS_DESTROY", "COUNTERS_READ"}},
	{"ASYNC_EVENT", []string{"ASYNC_EVENT_ALLOC"}},
}

// writeCommands are enum ib_uverbs_write_cmds.
var writeCommands = []string{
	"GET_CONTEXT", "QUERY_DEVICE", "QUERY_PORT", "ALLOC_PD", "DEALLOC_PD", "CREATE_AH", "MODIFY_AH", "QUERY_AH",
	"DESTROY_AH", "REG_MR", "REG_SMR", "REREG_MR", "QUERY_MR", "DEREG_MR", "ALLOC_MW", "BIND_MW", "DEALLOC_MW",
	"CREATE_COMP_CHANNEL", "CREATE_CQ", "RESIZE_CQ", "DESTROY_CQ", "POLL_CQ", "PEEK_CQ", "REQ_NOTIFY_CQ", "CREATE_QP",
	"QUERY_QP", "MODIFY_QP", "DESTROY_QP", "POST_SEND", "POST_RECV", "ATTACH_MCAST", "DETACH_MCAST", "CREATE_SRQ",
	"MODIFY_SRQ", "QUERY_SRQ", "DESTROY_SRQ", "POST_SRQ_RECV", "OPEN_XRCD", "CLOSE_XRCD", "CREATE_XSRQ", "OPEN_QP",
}

// firstExtended is IB_USER_VERBS_CMD_THRESHOLD: from here on a command exists
// in the extended form only.
const firstExtended = 50

var extendedCommands = []string{
	"CREATE_FLOW", "DESTROY_FLOW", "CREATE_WQ", "MODIFY_WQ", "DESTROY_WQ", "CREATE_RWQ_IND_TBL", "DESTROY_RWQ_IND_TBL", "MODIFY_CQ",
}

// ioctlText names what an ioctl asks for, from the bytes its argument points
// to; empty where there are too few of them.
func ioctlText(b []byte) string {
	if len(b) < ioctlHeader {
		return ""
	}
	object, method := binary.LittleEndian.Uint16(b[2:]), binary.LittleEndian.Uint16(b[4:])
	text := objectText(object) + " " + methodText(object, method)
	if object != objectDevice || method != invokeWrite {
		return text
	}
	rest := b[ioctlHeader:]
	for n := binary.LittleEndian.Uint16(b[6:]); n > 0 && len(rest) >= ioctlAttribute; n-- {
		if binary.LittleEndian.Uint16(rest) == attrWriteCmd {
			return text + " " + commandText(binary.LittleEndian.Uint32(rest[8:]))
		}
		rest = rest[ioctlAttribute:]
	}
	return text
}

func objectText(object uint16) string {
	switch {
	case int(object) < len(uverbsObjects):
		return "UVERBS_OBJECT_" + uverbsObjects[object].name
	case object&^0xfff == driverNamespace:
		return fmt.Sprintf("object 0x%x of the driver", object)
	}
	return fmt.Sprintf("object 0x%x", object)
}

func methodText(object, method uint16) string {
	switch {
	case method&^0xfff == driverNamespace:
		return fmt.Sprintf("method 0x%x of the driver", method)
	case int(object) < len(uverbsObjects) && int(method) < len(uverbsObjects[object].methods):
		return "UVERBS_METHOD_" + uverbsObjects[object].methods[method]
	}
	return fmt.Sprintf("method 0x%x", method)
}

// writeText names what a write asks for, from its bytes.
func writeText(b []byte) string {
	if len(b) < writeHeader {
		return ""
	}
	return commandText(binary.LittleEndian.Uint32(b))
}

func commandText(cmd uint32) string {
	n := int(cmd & cmdMask)
	switch {
	case n >= firstExtended && n-firstExtended < len(extendedCommands):
		return "IB_USER_VERBS_EX_CMD_" + extendedCommands[n-firstExtended]
	case n < len(writeCommands) && cmd&cmdExtended != 0:
		return "IB_USER_VERBS_EX_CMD_" + writeCommands[n]
	case n < len(writeCommands):
		return "IB_USER_VERBS_CMD_" + writeCommands[n]
	}
	return fmt.Sprintf("command 0x%x", cmd)
}
