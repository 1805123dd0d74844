package tui

import (
	"fmt"
	"strings"

	"ibtour/verbs/kernel"
)

// kernel draws the kernel's own record beside ours, the counters of the port
// with what the step added, and what the process holds.
func (v *view) kernel(w int) []string {
	if v.now == nil {
		return v.wrapped(v.s.soft, v.t.nothingYet, w)
	}
	var out []string
	if k := v.now.Kernel; k != nil {
		out = append(out, v.s.strong.of(fmt.Sprintf(v.t.kernelOurs, k.Device)))
		out = append(out, v.record(k, w)...)
	} else if v.model.device.Soft {
		out = append(out, v.wrapped(v.s.text, v.t.kernelNone, w)...)
	} else {
		out = append(out, v.s.soft.of(v.t.nothingYet))
	}
	if p := v.now.Process; p != nil {
		out = append(out, "", v.s.strong.of(v.t.kernelProcess))
		out = append(out, v.process(p)...)
	}
	if len(v.now.Counters) > 0 {
		out = append(out, "", v.s.strong.of(v.t.kernelCounters))
		out = append(out, v.counters(w)...)
	}
	return out
}

func (v *view) record(k *kernel.Resources, w int) []string {
	n := func(name string, count int, ours int) string {
		said := v.s.soft.of("  " + v.t.kernelMatches)
		if count != ours {
			said = v.s.changed.of("  " + fmt.Sprintf(v.t.kernelDiffers, fmt.Sprint(ours)))
		}
		return "  " + v.s.soft.of(fit(name, 10)) + v.mark("kernel."+name, fmt.Sprint(count)) + said
	}
	var ours [5]int
	for i := range v.now.Ends {
		e := &v.now.Ends[i]
		for j, there := range []bool{e.Device != nil, e.PD, e.MR != nil, e.CQ != nil, e.QP != nil} {
			if there {
				ours[j]++
			}
		}
	}
	out := []string{
		n("contexts", len(k.Contexts), ours[0]), n("pds", len(k.PDs), ours[1]), n("mrs", len(k.MRs), ours[2]),
		n("cqs", len(k.CQs), ours[3]), n("qps", len(k.QPs), ours[4]),
	}
	for i := range k.QPs {
		out = append(out, wrap("  "+v.kernelQP(&k.QPs[i]), w, 4)...)
	}
	return out
}

func (v *view) kernelQP(q *kernel.QP) string {
	text := fmt.Sprintf("lqpn %d state %s", int(q.LQPN), strings.TrimPrefix(q.State.String(), "IBV_QPS_"))
	if q.RQPN != nil {
		text += fmt.Sprintf(" rqpn %d", int(*q.RQPN))
	}
	if q.RQPSN != nil {
		text += fmt.Sprintf(" rq-psn %d", uint32(*q.RQPSN))
	}
	if q.SQPSN != nil {
		text += fmt.Sprintf(" sq-psn %d", uint32(*q.SQPSN))
	}
	said := v.t.kernelMatches
	for i := range v.now.Ends {
		if e := &v.now.Ends[i]; e.QP != nil && e.QP.Num == q.LQPN && e.QP.Attr.State != q.State {
			said = fmt.Sprintf(v.t.kernelDiffers, e.QP.Attr.State.Short())
		}
	}
	return text + "  " + v.s.soft.of(said)
}

func (v *view) process(p *kernel.Process) []string {
	limit := v.t.unlimited
	if p.MemlockSoft != kernel.Unlimited {
		limit = fmt.Sprint(p.MemlockSoft)
	}
	row := func(label, value string) string { return "  " + v.s.soft.of(fit(label, 22)) + " " + value }
	out := []string{
		row("PID", fmt.Sprint(p.PID)),
		row(v.t.kernelPinned, v.mark("process.pinned_bytes", fmt.Sprint(p.Pinned))),
		row(v.t.kernelLimit, limit),
	}
	for _, f := range p.Files {
		if f.Kind != kernel.FileOther {
			out = append(out, row(v.t.kernelFiles, fmt.Sprintf("fd %d  %s", f.FD, f.Target)))
		}
	}
	return out
}

// counters lists those that are not 0, with what the step added.
func (v *view) counters(w int) []string {
	old := map[string]uint64{}
	if v.before != nil {
		for _, c := range v.before.Counters {
			old[c.Name] = c.Value
		}
	}
	var out []string
	for _, c := range v.now.Counters {
		before, known := old[c.Name]
		if c.Value == 0 && before == 0 {
			continue
		}
		value := fmt.Sprint(c.Value)
		if known && v.compared() && c.Value != before {
			value += "  " + v.s.changed.of(fmt.Sprintf("%+d", int64(c.Value-before)))
		}
		out = append(out, fit("  "+v.s.soft.of(fit(c.Name, 30))+" "+value, w))
	}
	return out
}
