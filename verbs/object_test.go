package verbs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// Closing in order works; whatever is closed once more says nothing.
func TestCloseInOrderAndTwice(t *testing.T) {
	f := &fake{}
	o := build(t, f, nil)
	f.log = nil
	for _, c := range []func() error{o.qp.Close, o.mr.Close, o.pd.Close, o.cq.Close, o.ch.Close, o.ctx.Close} {
		must(t, c())
		must(t, c())
	}
	want := []string{"DestroyQP", "DeregMR", "DeallocPD", "DestroyCQ", "DestroyCompChannel", "Close"}
	if !slices.Equal(f.log, want) {
		t.Errorf("the calls are %q, want %q", f.log, want)
	}
	if n := o.ctx.Objects(); len(n) != 0 {
		t.Errorf("there are %q left", n)
	}
	must(t, o.ctx.CloseAll())
	if len(f.log) != len(want) {
		t.Errorf("closing again calls %q", f.log[len(want):])
	}
}

// CloseAll destroys what was made last first, goes on after an error, and can
// be called again.
func TestCloseAll(t *testing.T) {
	f := &fake{fail: map[string]error{"DestroyCQ": syscall.EBUSY}}
	o := build(t, f, nil)
	f.log = nil
	err := o.ctx.CloseAll()
	var busy *verbs.BusyError
	if !errors.Is(err, syscall.EBUSY) || !errors.As(err, &busy) || !slices.Equal(busy.Children, []string{o.cq.String()}) {
		t.Errorf("CloseAll gives %v", err)
	}
	want := []string{"DestroyQP", "DeregMR", "DeallocPD", "DestroyCQ", "DestroyCompChannel"}
	if !slices.Equal(f.log, want) {
		t.Errorf("the calls are %q, want %q", f.log, want)
	}
	f.fail, f.log = nil, nil
	must(t, o.ctx.CloseAll())
	if want := []string{"DestroyCQ", "Close"}; !slices.Equal(f.log, want) {
		t.Errorf("the calls are %q, want %q", f.log, want)
	}
}

// A device that cannot be closed can be tried again.
func TestCloseFails(t *testing.T) {
	f := &fake{fail: map[string]error{"Close": syscall.EIO}}
	list, err := verbs.GetDeviceList(f, nil)
	must(t, err)
	c, err := list.Open("fake1")
	must(t, err)
	if err := c.Close(); !errors.Is(err, syscall.EIO) {
		t.Errorf("Close gives %v", err)
	}
	f.fail = nil
	must(t, c.Close())
}

// A queue whose events were taken is acknowledged before it is destroyed.
func TestCloseAcknowledges(t *testing.T) {
	f := &fake{}
	o := build(t, f, nil)
	for range 2 {
		if cq, err := o.ch.GetEvent(t.Context()); cq != o.cq || err != nil {
			t.Fatalf("GetEvent gives %v, %v", cq, err)
		}
	}
	if o.cq.Unacked() != 2 {
		t.Errorf("%d events are not acknowledged, want 2", o.cq.Unacked())
	}
	must(t, o.qp.Close())
	f.log = nil
	must(t, o.cq.Close())
	if want := []string{"AckCQEvents 2", "DestroyCQ"}; !slices.Equal(f.log, want) || o.cq.Unacked() != 0 {
		t.Errorf("the calls are %q, want %q", f.log, want)
	}
	if _, err := o.ch.GetEvent(t.Context()); err == nil || !strings.Contains(err.Error(), "unknown completion queue") {
		t.Errorf("an event of a destroyed queue gives %v", err)
	}
}

// usesOf are calls on each object, all of which must refuse once it is closed.
func usesOf(ctx context.Context, o *objects) map[string][]func() error {
	wc := make([]verbs.WC, 1)
	return map[string][]func() error{
		"qp": {
			func() error { return o.qp.PostSend(&verbs.SendWR{}) },
			func() error { return o.qp.PostRecv(&verbs.RecvWR{}) },
			func() error { return o.qp.Modify(verbs.QPAttr{State: verbs.QPSErr}, verbs.AttrState) },
			func() error { _, err := o.qp.Query(verbs.AttrState); return err },
			func() error { _, err := o.qp.Peek(0); return err },
			func() error { _, err := o.qp.NewBatch(o.cq, false, verbs.SendWR{}, verbs.RecvWR{}); return err },
		},
		"cq": {
			func() error { _, err := o.cq.Poll(wc); return err },
			func() error { return o.cq.ReqNotify(false) },
			o.cq.AckEvents,
			func() error { _, err := o.pd.CreateQP(o.config()); return err },
			func() error { _, err := o.qp.NewBatch(o.cq, false, verbs.SendWR{}, verbs.RecvWR{}); return err },
		},
		"pd": {
			func() error { _, err := o.pd.CreateQP(o.config()); return err },
			func() error { _, err := o.pd.RegMR(o.buf, 0); return err },
		},
		"mr": {
			func() error { _, err := o.mr.Peek(make([]byte, 1), 0); return err },
		},
		"ch": {
			func() error { _, err := o.ch.GetEvent(ctx); return err },
			func() error { _, err := o.ctx.CreateCQ(1, o.ch); return err },
		},
		"ctx": {
			func() error { _, err := o.ctx.AllocPD(); return err },
			func() error { _, err := o.ctx.CreateCQ(1, nil); return err },
			func() error { _, err := o.ctx.CreateCompChannel(); return err },
			func() error { _, err := o.ctx.QueryDevice(); return err },
			func() error { _, err := o.ctx.QueryPort(1); return err },
			func() error { _, err := o.ctx.QueryGID(1, 0); return err },
			func() error { _, err := o.ctx.PeekDevice(); return err },
			func() error { _, err := o.ctx.PeekPort(1); return err },
			func() error { _, err := o.ctx.PeekGIDs(1); return err },
			func() error { _, err := o.ctx.GetAsyncEvent(ctx); return err },
		},
	}
}

// What is closed refuses every call, and no driver hears of it, with a tracer
// and without.
func TestClosedRefuses(t *testing.T) {
	for _, tracer := range []*recorder{nil, {}} {
		f := &fake{}
		o := build(t, f, tracer.tracer())
		closers := []struct {
			name  string
			close func() error
		}{{"qp", o.qp.Close}, {"mr", o.mr.Close}, {"pd", o.pd.Close}, {"cq", o.cq.Close}, {"ch", o.ch.Close}, {"ctx", o.ctx.Close}}
		for _, c := range closers {
			must(t, c.close())
			f.log = nil
			for i, use := range usesOf(t.Context(), o)[c.name] {
				if err := use(); !errors.Is(err, verbs.ErrClosed) {
					t.Errorf("call %d on a closed %s gives %v", i, c.name, err)
				}
			}
			if len(f.log) != 0 {
				t.Errorf("the driver of a closed %s hears %q", c.name, f.log)
			}
		}
		o.ctx.AckAsyncEvent(verbs.AsyncEvent{})
		if fds := o.ctx.FDs(); fds != (verbs.FDs{Cmd: -1, Async: -1}) || len(f.log) != 0 {
			t.Errorf("a closed context has %+v and hears %q", fds, f.log)
		}
	}
}

// TestPeekMemory copies what there is of a region from an offset on; what the
// device counts as pinned is asked of the device as long as it is open.
func TestPeekMemory(t *testing.T) {
	o := build(t, &fake{}, nil)
	o.buf.Bytes()[4090], o.buf.Bytes()[4095] = 7, 9
	got := make([]byte, 16)
	if n, err := o.mr.Peek(got, 4090); n != 6 || err != nil || got[0] != 7 || got[5] != 9 {
		t.Errorf("the last 6 bytes are %d bytes, % x, %v", n, got, err)
	}
	if n, counts := o.ctx.Booked(); n != 12288 || !counts {
		t.Errorf("the device counts %d bytes: %v", n, counts)
	}
	must(t, o.ctx.CloseAll())
	if _, counts := o.ctx.Booked(); counts {
		t.Error("a closed device counts")
	}
}

func TestDeviceList(t *testing.T) {
	f := &fake{}
	list, err := verbs.GetDeviceList(f, nil)
	must(t, err)
	if d := list.Devices(); len(d) != 2 || d[1].Name != "fake1" {
		t.Errorf("the devices are %+v", d)
	}
	if _, err := list.Open("mlx9"); !errors.Is(err, verbs.ErrNoDevice) || !strings.Contains(err.Error(), `"mlx9"`) {
		t.Errorf("an unknown device gives %v", err)
	}
	must(t, list.Free())
	must(t, list.Free())
	if n := strings.Count(strings.Join(f.log, " "), "Free"); n != 1 {
		t.Errorf("the list was freed %d times", n)
	}
	if _, err := list.Open(""); !errors.Is(err, verbs.ErrClosed) {
		t.Errorf("a freed list gives %v", err)
	}
	f.fail = map[string]error{"DeviceList": syscall.ENOSYS}
	if _, err := verbs.GetDeviceList(f, nil); !errors.Is(err, syscall.ENOSYS) {
		t.Errorf("a kernel without RDMA gives %v", err)
	}
}

var errLater = errors.New("ended for a reason")

// Modify explains a refusal by the table, for the state the queue pair is in.
func TestModifyHint(t *testing.T) {
	f := &fake{fail: map[string]error{"ModifyQP": syscall.EINVAL}}
	o := build(t, f, nil)
	for _, c := range []struct {
		attr verbs.QPAttr
		mask verbs.AttrMask
		want string
	}{
		{
			verbs.QPAttr{State: verbs.QPSRTR},
			verbs.AttrState,
			"ibv_modify_qp QP 0x000011 RESET→RTR: EINVAL (invalid argument); a queue pair cannot go RESET→RTR",
		},
		{ // without a new state the queue pair stays where it is
			verbs.QPAttr{Timeout: 14},
			verbs.AttrTimeout,
			"ibv_modify_qp QP 0x000011: EINVAL (invalid argument); INIT→INIT does not take IBV_QP_TIMEOUT",
		},
		{
			verbs.QPAttr{State: verbs.QPSErr},
			verbs.AttrState,
			"ibv_modify_qp QP 0x000011 INIT→ERR: EINVAL (invalid argument)",
		},
	} {
		err := o.qp.Modify(c.attr, c.mask)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		f.fail = nil
		must(t, o.qp.Modify(verbs.QPAttr{State: verbs.QPSInit}, verbs.AttrState))
		f.fail = map[string]error{"ModifyQP": syscall.EINVAL}
	}
}
