package steps

import (
	"fmt"
	"strings"

	"ibtour/verbs"
	"ibtour/verbs/kernel"
)

// Fact is one observed value, by name: "client.qp.state" is "RTS". Texts place
// facts by their names, and a step's changes are those of the facts.
type Fact struct {
	Name  string
	Value string
}

// Facts returns every value of a snapshot, in the order in which the objects
// are made.
func (s *Snapshot) Facts() []Fact {
	if s == nil {
		return nil
	}
	var f facts
	for i := range s.Ends {
		f.end(&s.Ends[i])
	}
	if s.Process != nil {
		f.count(processFacts+"pinned_bytes", s.Process.Pinned)
		f.count(processFacts+"open_files", uint64(len(s.Process.Files)))
	}
	if s.Kernel != nil {
		f.kernel(s.Kernel)
	}
	for _, c := range s.Counters {
		f.count("port.counter."+c.Name, c.Value)
	}
	return f.list
}

// Absent stands for a value that a device does not have, such as the kernel's
// counts for a device outside the kernel.
const Absent = "—"

// Resolver returns a function that finds the value of a fact for one end: its
// own, by the name without the end, or one of the process or the kernel, whose
// counts are 0 where nothing is counted.
func (s *Snapshot) Resolver(r Role) func(name string) (string, bool) {
	values := map[string]string{}
	for _, f := range s.Facts() {
		values[f.Name] = f.Value
	}
	return func(name string) (string, bool) {
		if v, ok := values[string(r)+"."+name]; ok {
			return v, true
		}
		v, ok := values[name]
		switch {
		case ok:
			return v, true
		case !s.Has(name):
			return Absent, true
		}
		return "0", counted(name)
	}
}

// Has tells whether there can be a fact of a name: the kernel counts only what
// it made itself.
func (s *Snapshot) Has(name string) bool {
	switch {
	case strings.HasPrefix(name, kernelFacts):
		return s != nil && s.Kernel != nil
	case strings.HasPrefix(name, processFacts):
		return s != nil && s.Process != nil
	}
	return true
}

// What is counted has these prefixes.
const (
	kernelFacts  = "kernel."
	processFacts = "process."
)

// counted tells whether no fact means 0: it does for a count, and not for what
// is said of one object, such as kernel.qp17.state.
func counted(name string) bool {
	return (strings.HasPrefix(name, kernelFacts) || strings.HasPrefix(name, processFacts)) && strings.Count(name, ".") == 1
}

// Object returns the name of the object that a fact belongs to: client.qp of
// client.qp.num. An object of one fact has its name, such as client.pd.
func (c Change) Object() string {
	if strings.Count(c.Name, ".") > 1 {
		return c.Name[:strings.LastIndexByte(c.Name, '.')]
	}
	return c.Name
}

// Diff returns the facts that differ, in the order of after; what is gone
// comes last.
func Diff(before, after *Snapshot) []Change {
	old := map[string]string{}
	for _, f := range before.Facts() {
		old[f.Name] = f.Value
	}
	var out []Change
	for _, f := range after.Facts() {
		if v, ok := old[f.Name]; !ok || v != f.Value {
			out = append(out, Change{Name: f.Name, From: v, To: f.Value})
		}
		delete(old, f.Name)
	}
	for _, f := range before.Facts() {
		v, gone := old[f.Name]
		switch {
		case gone && counted(f.Name) && after.Has(f.Name):
			out = append(out, Change{Name: f.Name, From: v, To: "0"})
		case gone:
			out = append(out, Change{Name: f.Name, From: v})
		}
	}
	return out
}

// Same tells whether two snapshots of a run show the same: every fact, and
// every byte of the buffers.
func (s *Snapshot) Same(o *Snapshot) bool {
	if len(s.Ends) != len(o.Ends) {
		return false
	}
	for i := range s.Ends {
		a, b := s.Ends[i].Buffer, o.Ends[i].Buffer
		if (a == nil) != (b == nil) || a != nil && !a.Memory.Equal(b.Memory) {
			return false
		}
	}
	return len(Diff(s, o)) == 0
}

// facts collects values under a prefix.
type facts struct {
	prefix string
	list   []Fact
}

func (f *facts) add(name string, value any) {
	f.list = append(f.list, Fact{Name: f.prefix + name, Value: fmt.Sprint(value)})
}

// count adds a number of things, unless there are none.
func (f *facts) count(name string, n uint64) {
	if n != 0 {
		f.add(name, n)
	}
}

// fd adds a file descriptor; the embedded device has none.
func (f *facts) fd(name string, fd int) {
	if fd < 0 {
		f.add(name, "none")
		return
	}
	f.add(name, fd)
}

func (f *facts) end(e *EndState) {
	f.prefix = string(e.Role) + "."
	defer func() { f.prefix = "" }()
	if d := e.Device; d != nil {
		f.add("device.name", d.Name)
		f.fd("device.cmd_fd", d.FDs.Cmd)
		f.fd("device.async_fd", d.FDs.Async)
	}
	f.memory(e)
	if e.CQ != nil {
		f.add("cq.cqe", e.CQ.CQE)
		f.add("cq.polled", e.CQ.Polled)
		f.add("cq.unacked_events", e.CQ.Unacked)
	}
	if e.QP != nil {
		f.qp(e.QP)
		f.add("flow.sent", e.Flow.Sent)
		f.add("flow.received", e.Flow.Received)
		f.add("flow.receives_posted", e.Flow.Posted)
		f.add("flow.waits_for", workText(e.Flow.Pending))
	}
	f.address(e)
}

func (f *facts) memory(e *EndState) {
	if b := e.Buffer; b != nil {
		f.add("buffer.addr", hexadecimal(b.Addr))
		f.add("buffer.length", b.Len)
		f.add("buffer.head", fmt.Sprintf("% x", b.Memory.Bytes(0, 16)))
		f.add("buffer.bytes_changed", b.Memory.Changed())
	}
	if e.Channel != nil {
		f.fd("channel.fd", e.Channel.FD)
	}
	if e.PD {
		f.add("pd", "allocated")
	}
	if m := e.MR; m != nil {
		f.add("mr.lkey", m.LKey)
		f.add("mr.rkey", m.RKey)
		f.add("mr.access", m.Access)
	}
}

// qp lists the attributes that mean something in the state the queue pair is
// in: before INIT it has no port, before RTR no peer, before RTS no timers.
func (f *facts) qp(q *QPState) {
	a := &q.Attr
	f.add("qp.num", q.Num)
	f.add("qp.type", q.Type)
	f.add("qp.state", a.State.Short())
	f.add("qp.max_send_wr", a.Cap.MaxSendWR)
	f.add("qp.max_recv_wr", a.Cap.MaxRecvWR)
	f.add("qp.max_inline_data", a.Cap.MaxInlineData)
	if a.State >= verbs.QPSInit {
		f.add("qp.port_num", a.PortNum)
	}
	if a.State >= verbs.QPSRTR {
		f.add("qp.path_mtu", a.PathMTU.Bytes())
		f.add("qp.dest_qp_num", a.DestQPN)
		f.add("qp.dgid", a.AH.GRH.DGID)
		f.add("qp.sgid_index", a.AH.GRH.SGIDIndex)
		f.add("qp.hop_limit", a.AH.GRH.HopLimit)
		f.add("qp.rq_psn", a.RQPSN)
		f.add("qp.min_rnr_timer", a.MinRNRTimer)
	}
	if a.State >= verbs.QPSRTS {
		f.add("qp.sq_psn", a.SQPSN)
		f.add("qp.timeout", a.Timeout)
		f.add("qp.retry_cnt", a.RetryCnt)
		f.add("qp.rnr_retry", a.RNRRetry)
	}
	f.add("sq.posted", q.Queues.Sends)
	f.add("sq.outstanding", q.Queues.Sends-q.Queues.SendsDone)
	f.add("rq.posted", q.Queues.Recvs)
	f.add("rq.outstanding", q.Queues.Recvs-q.Queues.RecvsDone)
}

func (f *facts) address(e *EndState) {
	if p := e.Port; p != nil {
		f.add("port.state", p.State)
		f.add("port.link_layer", p.LinkLayer)
		f.add("port.active_mtu", p.ActiveMTU.Bytes())
		f.add("port.lid", p.LID)
	}
	if e.GID != nil {
		f.add("gid.index", e.GID.Index)
		f.add("gid.value", e.GID.GID)
	}
	if e.Peer != nil {
		f.add("peer.qpn", e.Peer.QPN)
		f.add("peer.psn", e.Peer.PSN)
		f.add("peer.lid", e.Peer.LID)
		f.add("peer.gid", e.Peer.GID)
	}
}

// kernel lists the kernel's record of this process's resources, by the
// kernel's own numbers.
func (f *facts) kernel(r *kernel.Resources) {
	f.prefix = kernelFacts
	defer func() { f.prefix = "" }()
	f.count("contexts", uint64(len(r.Contexts)))
	f.count("pds", uint64(len(r.PDs)))
	f.count("mrs", uint64(len(r.MRs)))
	f.count("cqs", uint64(len(r.CQs)))
	f.count("qps", uint64(len(r.QPs)))
	for i := range r.PDs {
		f.add(fmt.Sprintf("pd%d.users", r.PDs[i].PDN), r.PDs[i].Users)
	}
	for i := range r.MRs {
		f.add(fmt.Sprintf("mr%d.length", r.MRs[i].MRN), r.MRs[i].Len)
	}
	for i := range r.CQs {
		name := fmt.Sprintf("cq%d.", r.CQs[i].CQN)
		f.add(name+"cqe", r.CQs[i].CQE)
		f.add(name+"users", r.CQs[i].Users)
	}
	for i := range r.QPs {
		f.kernelQP(&r.QPs[i])
	}
}

func (f *facts) kernelQP(q *kernel.QP) {
	name := fmt.Sprintf("qp%d.", q.LQPN)
	f.add(name+"state", q.State.Short())
	if q.RQPN != nil {
		f.add(name+"rqpn", uint32(*q.RQPN))
	}
	if q.RQPSN != nil {
		f.add(name+"rq_psn", *q.RQPSN)
	}
	if q.SQPSN != nil {
		f.add(name+"sq_psn", *q.SQPSN)
	}
}
