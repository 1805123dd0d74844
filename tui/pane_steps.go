package tui

import (
	"strings"
)

// listRow is a line of the step list: a phase, or a step.
type listRow struct {
	stop int // -1 for a phase
	text string
}

// stepList draws the list of steps; it keeps the current one in sight.
func (v *view) stepList(w, h int) []string {
	rows, at := v.listRows(w)
	top := min(max(at-h/2, 0), max(len(rows)-h, 0))
	out := make([]string, 0, h)
	for _, r := range rows[top:min(top+h, len(rows))] {
		out = append(out, r.text)
	}
	return out
}

// stopAt returns the step in line y of the list, -1 for none.
func (v *view) stopAt(y, w, h int) int {
	rows, at := v.listRows(w)
	top := min(max(at-h/2, 0), max(len(rows)-h, 0))
	if i := top + y; i >= 0 && i < len(rows) {
		return rows[i].stop
	}
	return -1
}

// listRows returns all rows, and the one to keep in sight.
func (v *view) listRows(w int) (rows []listRow, at int) {
	chosen := v.m.stop
	if v.model.pick >= 0 {
		chosen = v.model.pick
	}
	for i := range v.h.visits {
		s := &v.h.visits[i]
		if i == 0 || s.phase != v.h.visits[i-1].phase {
			rows = append(rows, listRow{-1, v.s.soft.of(s.phase.In(v.t.lang))})
		}
		if i == chosen {
			at = len(rows)
		}
		rows = append(rows, listRow{i, v.stepRow(i, s, w)})
	}
	return rows, at
}

func (v *view) stepRow(i int, s *visit, w int) string {
	mark, pen := " ", v.s.soft
	switch {
	case s.err != nil && !s.torn:
		mark, pen = v.s.fault.of("✗"), v.s.fault
	case i == v.m.stop:
		mark, pen = v.s.now.of("▶"), v.s.now
	case s.done:
		mark, pen = v.s.soft.of("✓"), v.s.text
	case v.model.breaks[i]:
		mark = v.s.changed.of("●")
	}
	who := "·"
	if len(s.roles) == 1 {
		who = v.t.marks[s.roles[0]]
	}
	name := s.title
	if v.t.lang != "en" {
		name = v.stepTitle(s)
	}
	lead := "  "
	if i == v.model.pick {
		lead = "› " // seen without colours too
	}
	head := lead + mark + " " + v.s.soft.of(who) + " "
	room := w - width(head)
	if width(name) > room {
		name = strings.TrimSpace(fit(name, room))
	}
	if i == v.model.pick {
		return head + v.s.nowBar.of(fit(name, room))
	}
	return head + pen.of(name)
}
