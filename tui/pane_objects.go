package tui

import (
	"fmt"
	"strings"

	"ibtour/steps"
	"ibtour/verbs"
)

// objects draws the tree of what exists on one end: what hangs on what, and
// what the step changed.
func (v *view) objects(r steps.Role, w int) []string {
	e := endOf(v.now, r)
	out := []string{v.endTitle(r)}
	if e == nil || (e.Device == nil && e.Buffer == nil) {
		out = append(out, "    "+v.s.soft.of(v.t.nothingYet))
		return append(out, v.goneFrom(r)...)
	}
	tr := tree{v: v, prefix: string(r) + ".", w: w}
	tr.device(e)
	tr.address(e)
	return append(append(out, tr.out...), v.goneFrom(r)...)
}

// goneFrom lists the objects the step destroyed.
func (v *view) goneFrom(r steps.Role) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range v.visit.changes {
		name, mine := strings.CutPrefix(c.Name, string(r)+".")
		object, _, _ := strings.Cut(name, ".")
		if v.m.after && mine && c.To == "" && !seen[object] {
			seen[object] = true
			out = append(out, "    "+v.s.changed.of("− "+object+" "+v.t.gone))
		}
	}
	return out
}

// tree collects the lines of one end.
type tree struct {
	v      *view
	prefix string
	w      int
	out    []string
}

// field is a value of an object, by the name of its fact.
type field struct{ label, fact, value string }

// row adds an object and its values; values that do not fit go to a line below.
func (t *tree) row(branch, cont, name string, fields ...field) {
	const nameW = 11
	lead := "  " + t.v.s.faint.of(branch) + t.v.s.strong.of(name)
	lead = fit(lead, max(nameW, width(lead)+1))
	below := fit("  "+t.v.s.faint.of(cont), nameW)
	line := lead
	for _, f := range fields {
		s := t.value(f)
		if width(line)+width(s) > t.w && width(line) > nameW {
			t.out = append(t.out, strings.TrimRight(line, " "))
			line = below
		}
		line += s + "  "
	}
	t.out = append(t.out, strings.TrimRight(line, " "))
}

// value writes a field; one that changed says from what.
func (t *tree) value(f field) string {
	s := t.v.s
	label := ""
	if f.label != "" {
		label = s.soft.of(f.label + " ")
	}
	c, ok := t.v.changes[t.prefix+f.fact]
	switch {
	case f.fact == "" || !ok:
		return label + f.value
	case c.From == "" || len(c.From) > 16:
		return label + s.changed.of(f.value)
	}
	return label + s.soft.of(c.From+"→") + s.changed.of(f.value)
}

func (t *tree) device(e *steps.EndState) {
	if d := e.Device; d != nil {
		fds := ""
		if d.FDs.Cmd >= 0 {
			fds = fmt.Sprintf("%d, %d", d.FDs.Cmd, d.FDs.Async)
		}
		fields := []field{{"", "device.name", d.Name}}
		if fds != "" {
			fields = append(fields, field{"fd", "device.cmd_fd", fds})
		}
		t.row("", "│", "context", fields...)
	}
	t.domain(e)
	if c := e.Channel; c != nil {
		t.row("├ ", "│ ", "channel", field{"fd", "channel.fd", fmt.Sprint(c.FD)})
	}
	if c := e.CQ; c != nil {
		t.row("├ ", "│ ", "CQ", field{"cqe", "cq.cqe", fmt.Sprint(c.CQE)}, field{"polled", "cq.polled", fmt.Sprint(c.Polled)},
			field{"unacked events", "cq.unacked_events", fmt.Sprint(c.Unacked)})
	}
	if b := e.Buffer; b != nil && e.MR == nil {
		t.row("", "", "buffer", field{"", "buffer.addr", fmt.Sprintf("0x%x", b.Addr)}, field{"length", "buffer.length", fmt.Sprint(b.Len)})
	}
}

func (t *tree) domain(e *steps.EndState) {
	if !e.PD {
		return
	}
	t.row("├ ", "│ ", "PD", field{"", "pd", "allocated"})
	if m := e.MR; m != nil && e.Buffer != nil {
		t.row("│ ├ ", "│ │ ", "MR",
			field{"lkey", "mr.lkey", m.LKey.String()}, field{"rkey", "mr.rkey", m.RKey.String()},
			field{"addr", "buffer.addr", fmt.Sprintf("0x%x", e.Buffer.Addr)},
			field{"length", "buffer.length", fmt.Sprint(e.Buffer.Len)},
			field{"access", "mr.access", strings.ReplaceAll(m.Access.String(), "IBV_ACCESS_", "")})
	}
	if q := e.QP; q != nil {
		t.qp(q)
	}
}

func (t *tree) qp(q *steps.QPState) {
	a := &q.Attr
	f := []field{
		{"", "qp.num", q.Num.String()},
		{"", "qp.type", strings.TrimPrefix(q.Type.String(), "IBV_QPT_")},
		{"", "qp.state", a.State.Short()},
	}
	if a.State >= verbs.QPSInit {
		f = append(f, field{"port", "qp.port_num", fmt.Sprint(a.PortNum)})
	}
	if a.State >= verbs.QPSRTR {
		f = append(f, field{"mtu", "qp.path_mtu", fmt.Sprint(a.PathMTU.Bytes())},
			field{"dest", "qp.dest_qp_num", a.DestQPN.String()},
			field{"rq_psn", "qp.rq_psn", a.RQPSN.String()},
			field{"min_rnr_timer", "qp.min_rnr_timer", fmt.Sprint(a.MinRNRTimer)})
	}
	if a.State >= verbs.QPSRTS {
		f = append(f, field{"sq_psn", "qp.sq_psn", a.SQPSN.String()},
			field{"timeout", "qp.timeout", fmt.Sprint(a.Timeout)},
			field{"retry", "qp.retry_cnt", fmt.Sprint(a.RetryCnt)},
			field{"rnr_retry", "qp.rnr_retry", fmt.Sprint(a.RNRRetry)})
	}
	t.row("│ └ ", "│   ", "QP", f...)
}

// address draws the port, our address and the peer's.
func (t *tree) address(e *steps.EndState) {
	if p := e.Port; p != nil {
		t.row("", "", "port",
			field{"", "port.state", strings.TrimPrefix(p.State.String(), "IBV_PORT_")},
			field{"", "port.link_layer", strings.TrimPrefix(p.LinkLayer.String(), "IBV_LINK_LAYER_")},
			field{"mtu", "port.active_mtu", fmt.Sprint(p.ActiveMTU.Bytes())}, field{"lid", "port.lid", p.LID.String()})
	}
	if g := e.GID; g != nil {
		t.row("", "", "GID", field{"", "gid.index", fmt.Sprint(g.Index)}, field{"", "gid.value", g.GID.String()})
	}
	if p := e.Peer; p != nil {
		t.row("", "", "peer", field{"qpn", "peer.qpn", p.QPN.String()}, field{"psn", "peer.psn", p.PSN.String()},
			field{"lid", "peer.lid", p.LID.String()}, field{"gid", "peer.gid", p.GID.String()})
	}
}
