package tui

import (
	"fmt"
	"strings"

	"ibtour/steps"
)

// queues draws the queues of each end as gauges, and the credits of the flow
// control.
func (v *view) queues(w, h int) []string {
	out := v.perEnd(w, h, v.endQueues)
	out = append(out, "")
	return append(out, v.wrapped(v.s.soft, v.t.queueUnseen, w)...)
}

func (v *view) endQueues(r steps.Role, w int) []string {
	e := endOf(v.now, r)
	out := []string{v.endTitle(r)}
	if e == nil || (e.QP == nil && e.CQ == nil) {
		return append(out, "    "+v.s.soft.of(v.t.nothingYet))
	}
	p := string(r) + "."
	if q := e.QP; q != nil {
		n := q.Queues
		sq, rq := uint64(q.Attr.Cap.MaxSendWR), uint64(q.Attr.Cap.MaxRecvWR)
		out = append(out, v.gaugeRow("SQ", n.Sends-n.SendsDone, sq, p+"sq.outstanding", w))
		out = append(out, v.counts(n.Sends, n.SendsDone, sq, p+"sq.posted", w)...)
		out = append(out, v.gaugeRow("RQ", n.Recvs-n.RecvsDone, rq, p+"rq.outstanding", w))
		out = append(out, v.counts(n.Recvs, n.RecvsDone, rq, p+"rq.posted", w)...)
	}
	if c := e.CQ; c != nil {
		flight := uint64(0)
		if e.QP != nil {
			n := e.QP.Queues
			flight = n.Sends - n.SendsDone + n.Recvs - n.RecvsDone
		}
		out = append(out, v.gaugeRow("CQ", flight, uint64(c.CQE), "", w))
		out = append(out, v.flowing(w, "       ",
			v.s.soft.of(v.t.queueDone+" ")+v.mark(p+"cq.polled", fmt.Sprint(c.Polled)),
			v.s.soft.of(fmt.Sprintf(v.t.queueComing, flight, c.CQE)))...)
	}
	if f := e.Flow; f != nil {
		out = append(out, "    "+v.s.strong.of(v.t.queueCredit))
		for _, l := range []string{
			v.credit(v.t.creditPosted, p+"flow.receives_posted", fmt.Sprint(f.Posted)),
			v.credit(v.t.creditSent, p+"flow.sent", fmt.Sprint(f.Sent)),
			v.credit(v.t.creditReceived, p+"flow.received", fmt.Sprint(f.Received)),
			v.credit(v.t.creditWaits, p+"flow.waits_for", waits(f.Pending)),
		} {
			out = append(out, wrap(l, w, 8)...)
		}
	}
	return out
}

func waits(pending uint64) string {
	var parts []string
	if pending&steps.RecvID != 0 {
		parts = append(parts, "wr_id 1 (receive)")
	}
	if pending&steps.SendID != 0 {
		parts = append(parts, "wr_id 2 (send)")
	}
	if len(parts) == 0 {
		return "—"
	}
	return strings.Join(parts, ", ")
}

func (v *view) credit(label, fact, value string) string {
	return "      " + v.s.soft.of(label+" ") + v.mark(fact, value)
}

// flowing puts parts side by side, as many to a line as there is room for.
func (v *view) flowing(w int, lead string, parts ...string) []string {
	var out []string
	line := lead
	for _, p := range parts {
		if width(line) > len(lead) && width(line)+width(p) > w {
			out = append(out, line)
			line = lead
		}
		line += p + "  "
	}
	return append(out, strings.TrimRight(line, " "))
}

// mark writes a value, in the colour of change if the step changed it.
func (v *view) mark(fact, value string) string {
	if _, ok := v.changes[fact]; ok {
		return v.s.changed.of(value)
	}
	return value
}

// gaugeRow draws how full a queue is.
func (v *view) gaugeRow(short string, in, whole uint64, fact string, w int) string {
	text := fmt.Sprintf(" %d/%d", in, whole)
	bar, rest := gauge(in, whole, min(max(w-8-width(text), 4), 48))
	pen := v.s.now
	if _, ok := v.changes[fact]; ok {
		pen = v.s.changed
	}
	return "    " + v.s.strong.of(short) + " " + pen.of(bar) + v.s.faint.of(rest) + text
}

func (v *view) counts(posted, done, whole uint64, fact string, w int) []string {
	in := posted - done
	return v.flowing(w, "       ",
		v.s.soft.of(v.t.queuePosted+" ")+v.mark(fact, fmt.Sprint(posted)),
		v.s.soft.of(v.t.queueDone+" ")+fmt.Sprint(done),
		v.s.soft.of(v.t.queueFlight+" ")+fmt.Sprint(in),
		v.s.soft.of(v.t.queueFree+" ")+fmt.Sprint(whole-min(in, whole)))
}
