package verbs_test

import (
	"fmt"
	"testing"

	"ibtour/verbs"
)

// number makes a value of an enumeration from its C number.
func number[T ~uint8 | ~uint32 | ~int32](n int) fmt.Stringer {
	v, _ := any(T(n)).(fmt.Stringer)
	return v
}

// The names of <infiniband/verbs.h> by their numbers, typed from the manual
// pages; first the number of the first, then the names without the prefix.
var enumTests = []struct {
	typ    string
	of     func(int) fmt.Stringer
	prefix string
	first  int
	names  []string
}{
	{"QPState", number[verbs.QPState], "IBV_QPS_", 0, []string{"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR", "UNKNOWN"}},
	{"QPType", number[verbs.QPType], "IBV_QPT_", 2, []string{"RC", "UC", "UD"}},
	{"QPType", number[verbs.QPType], "IBV_QPT_", 8, []string{"RAW_PACKET", "XRC_SEND", "XRC_RECV"}},
	{"MTU", number[verbs.MTU], "IBV_MTU_", 1, []string{"256", "512", "1024", "2048", "4096"}},
	{"PortState", number[verbs.PortState], "IBV_PORT_", 0, []string{"NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER"}},
	{"PhysState", number[verbs.PhysState], "", 1, []string{
		"Sleep", "Polling", "Disabled", "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest",
	}},
	{"LinkLayer", number[verbs.LinkLayer], "IBV_LINK_LAYER_", 0, []string{"UNSPECIFIED", "INFINIBAND", "ETHERNET"}},
	{"GIDType", number[verbs.GIDType], "IBV_GID_TYPE_", 0, []string{"IB", "ROCE_V1", "ROCE_V2"}},
	{"NodeType", number[verbs.NodeType], "IBV_NODE_", 1, []string{"CA", "SWITCH", "ROUTER", "RNIC"}},
	{"NodeType", number[verbs.NodeType], "IBV_NODE_", -1, []string{"UNKNOWN"}},
	{"WROpcode", number[verbs.WROpcode], "IBV_WR_", 0, []string{
		"RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "SEND", "SEND_WITH_IMM", "RDMA_READ", "ATOMIC_CMP_AND_SWP",
		"ATOMIC_FETCH_AND_ADD", "LOCAL_INV", "BIND_MW", "SEND_WITH_INV",
	}},
	{"WCOpcode", number[verbs.WCOpcode], "IBV_WC_", 0, []string{
		"SEND", "RDMA_WRITE", "RDMA_READ", "COMP_SWAP", "FETCH_ADD", "BIND_MW", "LOCAL_INV",
	}},
	{"WCOpcode", number[verbs.WCOpcode], "IBV_WC_", 128, []string{"RECV", "RECV_RDMA_WITH_IMM"}},
	{"EventType", number[verbs.EventType], "IBV_EVENT_", 0, []string{
		"CQ_ERR", "QP_FATAL", "QP_REQ_ERR", "QP_ACCESS_ERR", "COMM_EST", "SQ_DRAINED", "PATH_MIG", "PATH_MIG_ERR",
		"DEVICE_FATAL", "PORT_ACTIVE", "PORT_ERR", "LID_CHANGE", "PKEY_CHANGE", "SM_CHANGE", "SRQ_ERR",
		"SRQ_LIMIT_REACHED", "QP_LAST_WQE_REACHED", "CLIENT_REREGISTER", "GID_CHANGE", "WQ_FATAL",
	}},
	{"MigState", number[verbs.MigState], "IBV_MIG_", 0, []string{"MIGRATED", "REARM", "ARMED"}},
}

func TestEnumText(t *testing.T) {
	for _, c := range enumTests {
		for i, name := range c.names {
			if s := c.of(c.first + i).String(); s != c.prefix+name {
				t.Errorf("%s %d is %q, want %q", c.typ, c.first+i, s, c.prefix+name)
			}
		}
		if s, want := c.of(99).String(), c.typ+"(99)"; s != want {
			t.Errorf("an unknown %s is %q, want %q", c.typ, s, want)
		}
	}
}

// The statuses: name and the text of ibv_wc_status_str(3).
var statusTests = [][2]string{
	{"SUCCESS", "success"},
	{"LOC_LEN_ERR", "local length error"},
	{"LOC_QP_OP_ERR", "local QP operation error"},
	{"LOC_EEC_OP_ERR", "local EE context operation error"},
	{"LOC_PROT_ERR", "local protection error"},
	{"WR_FLUSH_ERR", "Work Request Flushed Error"},
	{"MW_BIND_ERR", "memory management operation error"},
	{"BAD_RESP_ERR", "bad response error"},
	{"LOC_ACCESS_ERR", "local access error"},
	{"REM_INV_REQ_ERR", "remote invalid request error"},
	{"REM_ACCESS_ERR", "remote access error"},
	{"REM_OP_ERR", "remote operation error"},
	{"RETRY_EXC_ERR", "transport retry counter exceeded"},
	{"RNR_RETRY_EXC_ERR", "RNR retry counter exceeded"},
	{"LOC_RDD_VIOL_ERR", "local RDD violation error"},
	{"REM_INV_RD_REQ_ERR", "remote invalid RD request"},
	{"REM_ABORT_ERR", "aborted error"},
	{"INV_EECN_ERR", "invalid EE context number"},
	{"INV_EEC_STATE_ERR", "invalid EE context state"},
	{"FATAL_ERR", "fatal error"},
	{"RESP_TIMEOUT_ERR", "response timeout error"},
	{"GENERAL_ERR", "general error"},
	{"TM_ERR", "TM error"},
	{"TM_RNDV_INCOMPLETE", "TM software rendezvous"},
}

func TestWCStatusText(t *testing.T) {
	for i, c := range statusTests {
		s := verbs.WCStatus(i)
		if s.String() != "IBV_WC_"+c[0] || s.Text() != c[1] {
			t.Errorf("status %d is %v, %q, want %q", i, s, s.Text(), c)
		}
	}
	if s := verbs.WCStatus(24); s.String() != "WCStatus(24)" || s.Text() != "unknown" {
		t.Errorf("an unknown status is %v, %q", s, s.Text())
	}
}

func TestMTU(t *testing.T) {
	for code, bytes := range []int{0, 256, 512, 1024, 2048, 4096, 0, 0} {
		m := verbs.MTU(code)
		if m.Bytes() != bytes {
			t.Errorf("MTU %d has %d bytes, want %d", code, m.Bytes(), bytes)
		}
		if got, ok := verbs.MTUOf(bytes); bytes != 0 && (got != m || !ok) {
			t.Errorf("%d bytes are MTU %d, %v", bytes, got, ok)
		}
	}
	for _, bytes := range []int{-256, 0, 1, 255, 257, 1500, 8192, 4096 << 32} {
		if m, ok := verbs.MTUOf(bytes); ok || m != 0 {
			t.Errorf("%d bytes are MTU %v", bytes, m)
		}
	}
	if b := verbs.MTU(1 << 31).Bytes(); b != 0 {
		t.Errorf("a huge code has %d bytes", b)
	}
}

func TestFlagText(t *testing.T) {
	for _, c := range []struct {
		flags fmt.Stringer
		want  string
	}{
		{verbs.AccessFlags(0), "0"},
		{verbs.AccessFlags(1), "IBV_ACCESS_LOCAL_WRITE"},
		{verbs.AccessFlags(0x7F), "IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | " +
			"IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND | IBV_ACCESS_ZERO_BASED | IBV_ACCESS_ON_DEMAND"},
		{verbs.AccessFlags(1<<20 | 1), "IBV_ACCESS_LOCAL_WRITE | 0x100000"},
		{verbs.SendFlags(0), "0"},
		{verbs.SendFlags(15), "IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED | IBV_SEND_INLINE"},
		{verbs.SendFlags(2), "IBV_SEND_SIGNALED"},
		{verbs.SendFlags(16), "0x10"},
		{verbs.WCFlags(15), "IBV_WC_GRH | IBV_WC_WITH_IMM | IBV_WC_IP_CSUM_OK | IBV_WC_WITH_INV"},
		{verbs.WCFlags(0x30), "0x30"},
		{verbs.AttrMask(0), "0"},
		{verbs.AttrMask(1<<25 | 1), "IBV_QP_STATE | 0x2000000"},
	} {
		if s := c.flags.String(); s != c.want {
			t.Errorf("%T is %q, want %q", c.flags, s, c.want)
		}
	}
	for name, bit := range attrBits {
		if s := verbs.AttrMask(1 << bit).String(); s != "IBV_QP_"+name {
			t.Errorf("attribute bit %d is %q, want IBV_QP_%s", bit, s, name)
		}
	}
	if n := verbs.AttrMask(1 << 31).Names(); len(n) != 1 || n[0] != "0x80000000" {
		t.Errorf("the highest bit is %q", n)
	}
}
