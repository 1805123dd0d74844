package tui

import (
	"slices"
	"strings"

	"ibtour/steps"
	"ibtour/verbs"
)

// machine draws the states of a queue pair, where each end is in it, and what
// the legal next moves need. The rules are those ibv_modify_qp is checked by.
func (v *view) machine(w int) []string {
	at := map[verbs.QPState][]string{}
	for _, r := range v.model.roles {
		if e := endOf(v.now, r); e != nil && e.QP != nil {
			s := e.QP.Attr.State
			at[s] = append(at[s], v.t.marks[r])
		}
	}
	out := v.drawing(at)
	out = append(out, "")
	for _, r := range v.model.roles {
		out = append(out, v.nextMoves(r, w)...)
	}
	return out
}

// drawing is the chain of states, the lit ones with the ends below them.
func (v *view) drawing(at map[verbs.QPState][]string) []string {
	chain := []verbs.QPState{verbs.QPSReset, verbs.QPSInit, verbs.QPSRTR, verbs.QPSRTS, verbs.QPSSQD}
	var line, under strings.Builder
	for i, s := range chain {
		if i > 0 {
			arrow := "─▶"
			if s == verbs.QPSSQD {
				arrow = "◀▶"
			}
			line.WriteString(v.s.faint.of(arrow))
			under.WriteString("  ")
		}
		name := " " + s.Short() + " "
		if ends := at[s]; len(ends) > 0 {
			line.WriteString(v.s.nowBar.of("[" + s.Short() + "]"))
			under.WriteString(v.s.now.of(fit(" "+strings.Join(ends, " "), width(name))))
			continue
		}
		line.WriteString(v.s.soft.of(name))
		under.WriteString(strings.Repeat(" ", width(name)))
	}
	errName := v.s.soft.of(" ERR ")
	who := ""
	if ends := at[verbs.QPSErr]; len(ends) > 0 {
		errName, who = v.s.nowBar.of("[ERR]"), "  "+v.s.now.of(strings.Join(ends, ", "))
	}
	any1 := v.s.soft.of(v.t.qpAny)
	return []string{
		line.String(), under.String(),
		v.s.faint.of("  ▲ ") + strings.Repeat(" ", 3) + any1 + v.s.faint.of(" ─▶") + errName + who,
		v.s.faint.of("  └") + v.s.faint.of(strings.Repeat("─", width(v.t.qpAny)+8)+"┘"),
	}
}

func (v *view) nextMoves(r steps.Role, w int) []string {
	out := []string{v.endTitle(r)}
	e := endOf(v.now, r)
	if e == nil || e.QP == nil {
		return append(out, "    "+v.s.soft.of(v.t.nothingYet), "")
	}
	a := &e.QP.Attr
	state := v.s.now.of(a.State.Short())
	if c, ok := v.changes[string(r)+".qp.state"]; ok && c.From != "" {
		state = v.s.soft.of(c.From+" → ") + v.s.changed.of(c.To)
	}
	out = append(out, "    QP "+e.QP.Num.String()+"  "+state)
	for _, tr := range verbs.TransitionsFrom(e.QP.Type, a.State) {
		if tr.To == verbs.QPSReset || tr.To == a.State || tr.To == verbs.QPSErr {
			continue // a reset and an error need nothing and are drawn above
		}
		out = append(out, "    "+v.s.soft.of(v.t.qpNext+": ")+v.s.strong.of(verbs.Arrow(tr.From, tr.To)))
		out = append(out, v.attrs(v.t.qpNeeds, tr.Required, w)...)
		out = append(out, v.attrs(v.t.qpMay, tr.Optional, w)...)
	}
	return append(out, "")
}

func (v *view) attrs(label string, mask verbs.AttrMask, w int) []string {
	if mask == 0 {
		return nil
	}
	names := slices.Clone(mask.Names())
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "IBV_QP_")
	}
	lead := "      " + v.s.soft.of(label+" ")
	return wrap(lead+strings.Join(names, " "), w, width(lead))
}
