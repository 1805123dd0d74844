package verbs_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// recorder is a tracer that keeps what it sees.
type recorder struct {
	enter  func(*trace.Call) error
	events []string
	left   []trace.Call
}

// tracer makes no tracer of no recorder.
func (r *recorder) tracer() trace.Tracer {
	if r == nil {
		return nil
	}
	return r
}

func (r *recorder) Enter(c *trace.Call) error {
	r.events = append(r.events, "enter "+c.Op+c.Result)
	if r.enter != nil {
		return r.enter(c)
	}
	return nil
}

func (r *recorder) Leave(c *trace.Call) {
	r.events = append(r.events, "leave "+c.Op)
	r.left = append(r.left, *c)
}

func (r *recorder) Emit(e trace.Event) {
	r.events = append(r.events, fmt.Sprintf("%s %+v", e.Kind(), e))
}

// Enter comes before the call, Leave after it with what it returned.
func TestTracedOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		start := time.Now()
		err := verbs.Traced(r, &trace.Call{Op: "op"}, func() (string, error) {
			r.events = append(r.events, "call")
			time.Sleep(time.Second) // synctest: no time passes outside
			return "-1", fmt.Errorf("because: %w", syscall.EOPNOTSUPP)
		})
		if !errors.Is(err, syscall.EOPNOTSUPP) {
			t.Errorf("the error is %v", err)
		}
		if want := []string{"enter op", "call", "leave op"}; !slices.Equal(r.events, want) {
			t.Errorf("%q, want %q", r.events, want)
		}
		c := r.left[0]
		if c.Result != "-1" || c.Errno != "EOPNOTSUPP (operation not supported)" || c.Duration != time.Second || !c.Start.Equal(start) ||
			c.Repeat != 1 || !errors.Is(c.Err, err) {
			t.Errorf("the call is %+v", c)
		}
	})
}

var errHeld = errors.New("not now")

// A tracer that refuses prevents the call, of every kind, and its error is
// what the program gets.
func TestTracerRefuses(t *testing.T) {
	f, r := &fake{}, &recorder{}
	o := build(t, f, r)
	r.enter = func(*trace.Call) error { return errHeld }
	f.log, r.left, r.events = nil, nil, nil
	uses := usesOf(t.Context(), o)
	calls := slices.Concat(uses["qp"][:4], uses["cq"][:4], uses["pd"], uses["ch"], uses["ctx"][:6],
		[]func() error{o.qp.Close, o.mr.Close, o.pd.Close, o.cq.Close, o.ch.Close})
	for i, call := range calls {
		if err := call(); !errors.Is(err, errHeld) {
			t.Errorf("call %d gives %v", i, err)
		}
	}
	if len(f.log) != 0 || len(r.left) != 0 || len(r.events) != len(calls) {
		t.Errorf("the driver hears %q, the tracer sees %q", f.log, r.events)
	}
	if n := len(o.ctx.Objects()); n != 5 {
		t.Errorf("%d objects are left, want all 5", n)
	}
	r.enter = nil
}

// Every verb reaches the tracer under its C name, with its arguments and its
// result in C form.
func TestTracedCalls(t *testing.T) {
	f, r := &fake{}, &recorder{}
	o := build(t, f, r)
	attr := verbs.QPAttr{State: verbs.QPSInit, PortNum: 1}
	must(t, o.qp.Modify(attr, verbs.AttrState|verbs.AttrPort))
	must(t, o.qp.PostRecv(&verbs.RecvWR{WRID: 1, SGList: []verbs.SGE{{Addr: 0x1000, Length: 64, LKey: 0x842}}}))
	must(t, o.qp.PostSend(&verbs.SendWR{WRID: 2, Opcode: verbs.WRSend, Flags: verbs.SendSignaled}))
	f.polls = [][]verbs.WC{{{WRID: 1, Opcode: verbs.WCRecv, QPN: 0x11, ByteLen: 64}}}
	if n, err := o.cq.Poll(make([]verbs.WC, 4)); n != 1 || err != nil {
		t.Errorf("Poll gives %d, %v", n, err)
	}
	f.fail = map[string]error{"ReqNotifyCQ": syscall.EINVAL, "PollCQ": syscall.EIO}
	if err := o.cq.ReqNotify(true); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("ReqNotify gives %v", err)
	}
	if n, err := o.cq.Poll(make([]verbs.WC, 4)); n != 0 || !errors.Is(err, syscall.EIO) {
		t.Errorf("a poll that fails gives %d, %v", n, err)
	}
	var got []string
	for i := range r.left {
		c := &r.left[i]
		line := c.C() + " = " + c.Result
		if c.Errno != "" {
			line += " " + c.Errno
		}
		got = append(got, strings.ReplaceAll(line, fmt.Sprintf("%#x", o.buf.Addr()), "BUFFER"))
	}
	want := strings.Split(tracedCalls, "\n")
	if !slices.Equal(got, want) {
		t.Errorf("the calls are\n%s\nwant\n%s", strings.Join(got, "\n"), tracedCalls)
	}
	for _, want := range []string{
		"state {QPN:17 From:RESET To:INIT}",
		"completion {QPN:17 WRID:1 Opcode:IBV_WC_RECV Status:IBV_WC_SUCCESS ByteLen:64 Vendor:0}",
	} {
		if !slices.Contains(r.events, want) {
			t.Errorf("no event %q in %q", want, r.events)
		}
	}
}

const tracedCalls = `ibv_get_device_list(&num) = 2 devices
ibv_open_device(fake0) = context fake0
ibv_free_device_list(dev_list) = void
ibv_create_comp_channel(fake0) = channel fd 7
ibv_create_cq(fake0, 10, NULL, channel fd 7, 0) = cq {cqe 11}
ibv_alloc_pd(fake0) = pd
ibv_reg_mr(pd, BUFFER, 4096, IBV_ACCESS_LOCAL_WRITE) = mr {lkey 0x00000842, rkey 0x00000843}
ibv_create_qp(pd, &{.send_cq = CQ of 11, .recv_cq = CQ of 11, .cap = {.max_send_wr = 2, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0}, .qp_type = IBV_QPT_RC, .sq_sig_all = 0}) = qp {qp_num 0x000011}
ibv_modify_qp(QP 0x000011, &{.qp_state = IBV_QPS_INIT, .port_num = 1}, IBV_QP_STATE | IBV_QP_PORT) = 0
ibv_post_recv(QP 0x000011, &{.wr_id = 1, .sg_list[0] = {.addr = 0x1000, .length = 64, .lkey = 0x00000842}, .num_sge = 1}, &bad_wr) = 0
ibv_post_send(QP 0x000011, &{.wr_id = 2, .num_sge = 0, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED}, &bad_wr) = 0
ibv_poll_cq(CQ of 11, 4, wc) = 1
ibv_req_notify_cq(CQ of 11, 1) = 22 EINVAL (invalid argument)
ibv_poll_cq(CQ of 11, 4, wc) = -1 EIO (input/output error)`

// A change of state is told once, whoever discovers it.
func TestStateChangesAreTold(t *testing.T) {
	r := &recorder{}
	o := build(t, &fake{}, r)
	for range 2 {
		if a, err := o.qp.Peek(0); err != nil || a.State != verbs.QPSErr {
			t.Errorf("Peek gives %v, %v", a.State, err)
		}
		must(t, o.qp.Modify(verbs.QPAttr{Timeout: 1}, verbs.AttrTimeout))
	}
	n := 0
	for _, e := range r.events {
		if strings.HasPrefix(e, "state ") {
			n++
			if e != "state {QPN:17 From:RESET To:ERR}" {
				t.Errorf("the event is %s", e)
			}
		}
	}
	if n != 1 {
		t.Errorf("the change is told %d times", n)
	}
}

// Every attribute that a mask selects is shown, in the order of the C structure.
func TestQPAttrFields(t *testing.T) {
	a := verbs.QPAttr{State: verbs.QPSRTR, PathMTU: verbs.MTU1024, AH: verbs.AHAttr{IsGlobal: true, PortNum: 1}}
	want := "qp_state cur_qp_state path_mtu path_mig_state qkey rq_psn sq_psn dest_qp_num qp_access_flags cap ah_attr alt_ah_attr " +
		"pkey_index alt_pkey_index en_sqd_async_notify max_rd_atomic max_dest_rd_atomic min_rnr_timer port_num timeout " +
		"retry_cnt rnr_retry alt_port_num alt_timeout"
	if got := names(a.Fields(1<<21 - 1)); got != want {
		t.Errorf("the fields are\n%s, want\n%s", got, want)
	}
	for bit := range 21 {
		if f := a.Fields(1 << bit); len(f) == 0 {
			t.Errorf("%v shows no field", verbs.AttrMask(1<<bit))
		}
	}
	if f := a.Fields(0); len(f) != 0 {
		t.Errorf("no mask shows %v", f)
	}
	if got := names(a.Fields(verbs.AttrAV)[0].Fields); got != "is_global grh dlid sl src_path_bits port_num" {
		t.Errorf("the address has the fields %s", got)
	}
	a.AH.IsGlobal = false
	if got := names(a.Fields(verbs.AttrAV)[0].Fields); got != "is_global dlid sl src_path_bits port_num" {
		t.Errorf("a local address has the fields %s", got)
	}
}

func names(args []trace.Arg) string {
	var n []string
	for _, a := range args {
		n = append(n, a.Name)
	}
	return strings.Join(n, " ")
}

// Without a tracer the data path allocates nothing.
func TestNoAllocationWithoutTracer(t *testing.T) {
	o := build(t, quiet{&fake{}}, nil)
	send := &verbs.SendWR{WRID: 2, SGList: []verbs.SGE{o.mr.SGE(0, 64)}}
	recv := &verbs.RecvWR{WRID: 1, SGList: []verbs.SGE{o.mr.SGE(0, 64)}}
	wc := make([]verbs.WC, 2)
	for name, f := range map[string]func() error{
		"PostSend": func() error { return o.qp.PostSend(send) },
		"PostRecv": func() error { return o.qp.PostRecv(recv) },
		"Poll":     func() error { _, err := o.cq.Poll(wc); return err },
	} {
		n := testing.AllocsPerRun(100, func() { must(t, f()) })
		if n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
