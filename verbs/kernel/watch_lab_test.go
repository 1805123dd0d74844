//go:build lab && linux

package kernel

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/libibverbs"
	"ibtour/verbs/verbstest"
)

// seenAs is what is asserted of a verb: its system calls on RDMA files, by name
// and request, in order.
func seenAs(s *Seen) (calls []string) {
	for i := range s.Syscalls {
		if c := &s.Syscalls[i]; c.RDMA() {
			calls = append(calls, strings.TrimSpace(c.Name+" "+strings.TrimPrefix(c.Request, "RDMA_VERBS_IOCTL ")))
		}
	}
	return calls
}

// TestLabWatch asserts what Soft-RoCE really does below each verb: the
// commands by their names, the mappings, the descriptors.
func TestLabWatch(t *testing.T) {
	verbstest.Tracefs(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const invoke = "ioctl UVERBS_OBJECT_DEVICE UVERBS_METHOD_INVOKE_WRITE IB_USER_VERBS_CMD_"
	see := func(op string, f func() error, want ...string) *Seen {
		t.Helper()
		w := Watch()
		err := f()
		s := w.End()
		if err != nil {
			t.Fatalf("%s: %v", op, err)
		}
		if s.Unwatched != nil || s.Lost != 0 {
			t.Fatalf("%s: %v, %d lost", op, s.Unwatched, s.Lost)
		}
		if got := seenAs(s); !slices.Equal(got, want) {
			t.Errorf("%s makes\n%q\nwant\n%q", op, got, want)
		}
		return s
	}
	driver := try(t, libibverbs.Open)
	var list *verbs.DeviceList
	var ctx *verbs.Context
	var pd *verbs.PD
	var mr *verbs.MR
	var cq *verbs.CQ
	var qp *verbs.QP
	s := see("ibv_get_device_list", func() (err error) { list, err = verbs.GetDeviceList(driver, nil); return err })
	if !slices.ContainsFunc(s.Syscalls, func(c Syscall) bool { return c.Request == "AF_NETLINK SOCK_RAW NETLINK_RDMA" }) {
		t.Errorf("the list is not asked for by RDMA netlink: %v", s.Syscalls)
	}
	s = see("ibv_open_device", func() (err error) { ctx, err = list.Open(lab); return err },
		"openat", invoke+"QUERY_DEVICE", "ioctl UVERBS_OBJECT_DEVICE UVERBS_METHOD_GET_CONTEXT",
		"ioctl UVERBS_OBJECT_ASYNC_EVENT UVERBS_METHOD_ASYNC_EVENT_ALLOC", "fcntl", "fcntl")
	fds := ctx.FDs()
	if len(s.Opened) != 2 || s.Opened[0].FD != fds.Cmd || s.Opened[0].Kind != FileVerbs || s.Opened[1].FD != fds.Async || s.Opened[1].Kind != FileEvents {
		t.Errorf("opened %v, want %+v", s.Opened, fds)
	}
	if c := s.Syscalls[slices.IndexFunc(s.Syscalls, func(c Syscall) bool { return c.Name == "ioctl" })]; c.Errno != "ENOSPC" {
		t.Errorf("the first command gives %s, want ENOSPC: it asks for the size", c.String())
	}
	see("ibv_query_port", func() error { _, err := ctx.QueryPort(1); return err }, "ioctl UVERBS_OBJECT_DEVICE UVERBS_METHOD_QUERY_PORT")
	see("ibv_alloc_pd", func() (err error) { pd, err = ctx.AllocPD(); return err }, invoke+"ALLOC_PD")
	buf := try(t, func() (*verbs.Buffer, error) { return verbs.AllocBuffer(4096) })
	see("ibv_reg_mr", func() (err error) { mr, err = pd.RegMR(buf, verbs.AccessLocalWrite); return err }, invoke+"REG_MR")
	s = see("ibv_create_cq", func() (err error) { cq, err = ctx.CreateCQ(100, nil); return err },
		"ioctl UVERBS_OBJECT_CQ UVERBS_METHOD_CQ_CREATE", "mmap")
	queues := s.Mapped
	if len(s.Mapped) != 1 || s.Mapped[0].Perms != "rw-s" || s.Mapped[0].Path != "/dev/infiniband/uverbs0" || s.Mapped[0].Offset == 0 {
		t.Errorf("mapped %v, want the queue of the CQ", s.Mapped)
	}
	s = see("ibv_create_qp", func() (err error) {
		qp, err = pd.CreateQP(verbs.QPConfig{SendCQ: cq, RecvCQ: cq, Type: verbs.QPTRC, Cap: verbs.QPCap{MaxSendWR: 1, MaxRecvWR: 10, MaxSendSGE: 1, MaxRecvSGE: 1}})
		return err
	}, "ioctl UVERBS_OBJECT_QP UVERBS_METHOD_QP_CREATE", "mmap", "mmap")
	queues = append(queues, s.Mapped...)
	if len(s.Mapped) == 0 || len(s.Mapped) > 2 || s.Mapped[0].Path != "/dev/infiniband/uverbs0" {
		t.Errorf("mapped %v, want the send queue and the receive queue", s.Mapped)
	}
	see("ibv_modify_qp", func() error {
		return qp.Modify(verbs.QPAttr{State: verbs.QPSInit, PortNum: 1}, verbs.AttrState|verbs.AttrPKeyIndex|verbs.AttrPort|verbs.AttrAccessFlags)
	}, invoke+"MODIFY_QP")
	see("ibv_query_qp", func() error { _, err := qp.Query(verbs.AttrState); return err }, invoke+"QUERY_QP")
	recv := verbs.RecvWR{WRID: 1, SGList: []verbs.SGE{mr.SGE(0, 4096)}}
	for _, op := range []struct {
		name string
		do   func() error
	}{
		{"ibv_post_recv", func() error { return qp.PostRecv(&recv) }},
		{"ibv_poll_cq", func() error { _, err := cq.Poll(make([]verbs.WC, 2)); return err }},
	} {
		if s := see(op.name, op.do); len(s.Syscalls)+len(s.Mapped)+len(s.Opened) != 0 {
			t.Errorf("%s is seen as %+v, want nothing", op.name, s)
		}
	}
	see("ibv_req_notify_cq", func() error { return cq.ReqNotify(false) }, invoke+"REQ_NOTIFY_CQ")
	s = see("ibv_destroy_qp", qp.Close, "ioctl UVERBS_OBJECT_QP UVERBS_METHOD_QP_DESTROY", "munmap", "munmap")
	gone := s.Unmapped
	s = see("ibv_destroy_cq", cq.Close, "ioctl UVERBS_OBJECT_CQ UVERBS_METHOD_CQ_DESTROY", "munmap")
	if gone = append(gone, s.Unmapped...); bytesOf(gone) != bytesOf(queues) || bytesOf(gone) == 0 {
		t.Errorf("unmapped %v, mapped were %v", gone, queues)
	}
	see("ibv_dereg_mr", mr.Close, "ioctl UVERBS_OBJECT_MR UVERBS_METHOD_MR_DESTROY")
	see("ibv_dealloc_pd", pd.Close, "ioctl UVERBS_OBJECT_PD UVERBS_METHOD_PD_DESTROY")
	s = see("ibv_close_device", ctx.Close, "close", "close")
	if len(s.Closed) != 2 {
		t.Errorf("closed %v", s.Closed)
	}
	see("ibv_free_device_list", list.Free)
	_ = buf.Free()
}

func bytesOf(maps []Mapping) (n uint64) {
	for _, m := range maps {
		n += m.Size()
	}
	return n
}
