package tui

import (
	"fmt"
	"strings"
	"time"

	"ibtour/verbs/trace"
)

// callPanel draws the calls of the step: as they are about to be made, and
// with their results. The step of all iterations shows its figures instead.
func (v *view) callPanel(w, h int) []string {
	if v.model.source {
		return v.sourceOf(w)
	}
	if c := v.enteredCall(); c != nil {
		return v.callByCall(c, w)
	}
	if v.visit.together {
		return v.result(w, h)
	}
	var out []string
	for i := range v.visit.calls {
		if !v.m.after && i > 0 && v.visit.calls[i].done {
			break // recorded, and not yet made at the moment shown
		}
		out = append(out, v.oneCall(&v.visit.calls[i], w)...)
	}
	if len(out) == 0 {
		out = v.wrapped(v.s.soft, v.t.noCall, w)
	}
	out = append(out, v.repeatsAhead(w)...)
	if v.m.after {
		out = append(out, v.details(w)...)
	}
	out = append(out, v.notices(w)...)
	if v.m.after {
		out = append(out, v.changed(w)...)
		out = append(out, v.longCalls(w)...)
	}
	return append(out, v.otherEnd(w)...)
}

// longCalls repeats the calls whose arguments were left out above.
func (v *view) longCalls(w int) []string {
	var out []string
	for i := range v.visit.calls {
		lines := v.visit.calls[i].c.Lines()
		if len(lines) == 1 || i > 0 && v.visit.calls[i].c.C() == v.visit.calls[i-1].c.C() {
			continue
		}
		out = append(out, "")
		for _, line := range lines {
			out = append(out, wrap("  "+v.cLine(line, true), w, hangOf(line)+6)...)
		}
	}
	return out
}

// oneCall draws a call in C form, and below it what it returned.
func (v *view) oneCall(c *call, w int) []string {
	return v.drawCall(c, c.done && (v.m.after || !v.visit.done), w)
}

func (v *view) drawCall(c *call, made bool, w int) []string {
	if long := len(c.c.Lines()) > 1; made && long {
		// The result first: a long call fills the panel.
		out := v.outcome(c.c, w)
		out[0] = "  " + v.s.strong.of(c.c.Op) + " " + strings.TrimLeft(out[0], " ")
		return out
	}
	var out []string
	for i, line := range c.c.Lines() {
		lead := "  "
		if i == 0 && !made {
			lead = v.s.now.of("▸ ")
		}
		out = append(out, wrap(lead+v.cLine(line, made), w, hangOf(line)+6)...)
	}
	if made {
		out = append(out, v.outcome(c.c, w)...)
	}
	return out
}

// cLine colours a line of C: the function, and the names of fields.
func (v *view) cLine(line string, made bool) string {
	if name, args, ok := strings.Cut(line, "("); ok && !strings.HasPrefix(line, " ") {
		pen := v.s.now
		if made {
			pen = v.s.strong
		}
		return pen.of(name) + "(" + args
	}
	if field, value, ok := strings.Cut(line, " = "); ok {
		return v.s.soft.of(field+" = ") + value
	}
	return line
}

// outcome draws what a call returned.
func (v *view) outcome(c *trace.Call, w int) []string {
	pen := v.s.changed
	text := "= " + c.Result
	if c.Errno != "" || c.Err != nil {
		pen = v.s.fault
		if c.Errno != "" {
			text += "  " + c.Errno
		}
	}
	took := "  " + v.s.soft.of(tidy(c.Duration))
	if c.Repeat > 1 {
		took = "  " + v.s.soft.of(fmt.Sprintf(v.t.inAll, c.Repeat, tidy(c.Duration)))
	}
	return wrap("  "+pen.of(text)+took, w, 4)
}

// tidy rounds a time to three digits or so.
func tidy(d time.Duration) string {
	unit := time.Nanosecond
	for d >= 1000*unit && unit < time.Second {
		unit *= 10
	}
	return d.Round(unit).String()
}

// details draws what happened besides the calls.
func (v *view) details(w int) []string {
	var out []string
	for _, d := range v.visit.details {
		text := ""
		switch d := d.(type) {
		case trace.StateChange:
			text = fmt.Sprintf("QP 0x%06x: %s → %s", d.QPN, d.From, d.To)
		case trace.Completion:
			text = fmt.Sprintf("completion: wr_id %d  %s  %s  %d bytes", d.WRID, d.Status, d.Opcode, d.ByteLen)
			if d.Vendor != 0 {
				text += fmt.Sprintf("  vendor 0x%x", d.Vendor)
			}
		}
		out = append(out, wrap("  "+v.s.changed.of("◆ "+text), w, 4)...)
	}
	return out
}

// notices draws what was decided and why, as soon as it is.
func (v *view) notices(w int) []string {
	var out []string
	if len(v.visit.notices) > 0 {
		out = append(out, "")
	}
	for _, n := range v.visit.notices {
		out = append(out, wrap(v.s.soft.of("  "+v.t.notes+": ")+n, w, 4)...)
	}
	return out
}

// changed lists what the step changed, from what to what.
func (v *view) changed(w int) []string {
	out := []string{"", v.s.strong.of("  " + v.t.changed)}
	if v.m.call > 0 {
		out[1] = v.s.strong.of("  " + v.t.changedByCall)
	}
	gone := map[string]bool{}
	for _, c := range v.list {
		line := ""
		switch {
		case c.From == "":
			line = v.s.changed.of("+ ") + v.s.soft.of(c.Name+" = ") + v.s.changed.of(c.To)
		case c.To != "":
			line = v.s.changed.of("~ ") + v.s.soft.of(c.Name+" "+c.From+" → ") + v.s.changed.of(c.To)
		default:
			if gone[c.Object()] {
				continue
			}
			gone[c.Object()] = true
			line = v.s.changed.of("− ") + v.s.soft.of(c.Object()+" ") + v.s.changed.of(v.t.gone)
		}
		out = append(out, wrap("  "+line, w, 6)...)
	}
	if len(v.list) == 0 {
		out = append(out, "  "+v.s.soft.of(v.t.unchanged))
	}
	return out
}

// otherEnd draws what the same step returned on the other end, if it was
// there before.
func (v *view) otherEnd(w int) []string {
	if len(v.visit.roles) != 1 {
		return nil
	}
	var other *visit
	for i := range v.h.visits[:v.m.stop] {
		o := &v.h.visits[i]
		if o.id == v.visit.id && o.done && len(o.roles) == 1 && o.roles[0] != v.visit.roles[0] {
			other = o
		}
	}
	if other == nil || len(other.calls) == 0 {
		return nil
	}
	out := []string{"", "  " + v.s.soft.of(v.t.otherEnd+" ("+v.t.roles[other.roles[0]]+")")}
	for i := range other.calls {
		c := other.calls[i].c
		out = append(out, wrap("  "+v.s.soft.of(c.Op+" = "+c.Result+"  "+c.Errno), w, 6)...)
	}
	return out
}
