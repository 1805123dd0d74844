package tui

import (
	"strings"

	"ibtour/steps"
)

// strip is the call in three lines, where it has no panel of its own.
func (v *view) strip(w int) []string {
	out := []string{v.s.faint.of(strings.Repeat("─", w))}
	if c := v.enteredCall(); c != nil {
		lead := v.s.now.of("▸ ") + v.s.soft.of(v.callText(c)+" ") + v.s.now.of(c.c.Op)
		return append(out, wrap(lead+strings.TrimPrefix(c.c.C(), c.c.Op), w, 4)...)
	}
	if v.visit.together && len(v.visit.figures)+len(v.h.reached) > 0 {
		return append(out, v.result(w, stripH-1)...)
	}
	n := len(v.visit.calls)
	if n == 0 {
		return append(out, v.s.soft.of(v.t.noCall))
	}
	if !v.m.after {
		c := v.visit.pending()
		if c == nil {
			c = &v.visit.calls[0]
		}
		return append(out, wrap(v.s.now.of("▸ "+c.c.Op)+strings.TrimPrefix(c.c.C(), c.c.Op), w, 4)...)
	}
	c := v.visit.calls[n-1].c
	line := v.outcome(c, w-len(c.Op))[0]
	out = append(out, v.s.strong.of(c.Op)+strings.TrimPrefix(line, " "))
	return append(out, v.inShort(w)...)
}

// inShort is what the step changed, in a line or two.
func (v *view) inShort(w int) []string {
	if v.visit.err != nil {
		return v.wrapped(v.s.fault, v.visit.err.Error(), w)
	}
	var parts []string
	for _, c := range v.visit.changes {
		switch {
		case c.From == "":
			parts = append(parts, "+"+c.Name+"="+c.To)
		case c.To != "":
			parts = append(parts, c.Name+" "+c.From+"→"+c.To)
		}
	}
	if len(parts) == 0 {
		return []string{v.s.soft.of(v.t.unchanged)}
	}
	return v.wrapped(v.s.changed, strings.Join(parts, " · "), w)
}

// sourceOf draws the Go source of the step.
func (v *view) sourceOf(w int) []string {
	src, err := steps.Source(v.visit.id)
	if err != nil {
		return v.wrapped(v.s.soft, v.t.noSource, w)
	}
	var out []string
	for line := range strings.SplitSeq(strings.ReplaceAll(src, "\t", "  "), "\n") {
		pen := v.s.text
		switch t := strings.TrimSpace(line); {
		case strings.HasPrefix(t, "//"):
			pen = v.s.soft
		case strings.HasPrefix(t, "func "):
			pen = v.s.strong
		case strings.Contains(line, "e.Context.") || strings.Contains(line, "e.PD.") || strings.Contains(line, "e.QP.") ||
			strings.Contains(line, "e.CQ.") || strings.Contains(line, "verbs.Get"):
			pen = v.s.code
		}
		out = append(out, wrap(pen.of(line), w, hangOf(line)+4)...)
	}
	return out
}
