package tui

import (
	"fmt"
	"strings"
)

// view draws the start screen.
func (s *startScreen) view(m *model) []string {
	t, st := m.text, m.styles
	const labelW = 16
	w := min(m.w-4, 92)
	lead := strings.Repeat(" ", max((m.w-w)/2, 0))
	out := make([]string, max((m.h-len(s.devices)-18)/3, 0))
	out = append(out, st.now.of(t.startTitle), t.startLead, st.faint.of(strings.Repeat("─", w)), "")
	row := func(f startField, label, value string) {
		mark, pen := "  ", st.text
		if s.at == f {
			mark, pen = st.now.of("▸ "), st.now
			value = "‹ " + value + " ›"
			if s.typing() {
				value = strings.TrimSuffix(strings.TrimPrefix(value, "‹ "), " ›") + "▏"
			}
		}
		out = append(out, mark+fit(st.soft.of(label), labelW)+pen.of(value))
	}
	row(startDevice, t.startDevice, s.chosenName(t))
	out = append(out, s.deviceLines(m, labelW+2, w)...)
	out = append(out, "")
	row(startRole, t.startRole, t.startRoles[s.role])
	if s.role == 2 {
		row(startHost, t.startHost, s.host)
	}
	row(startSize, t.startSize, s.size)
	row(startIters, t.startIters, s.iters)
	row(startEvents, t.startEvents, map[bool]string{true: t.yes, false: t.no}[s.events])
	row(startCheck, t.startCheck, map[bool]string{true: t.yes, false: t.no}[s.check])
	row(startLang, t.startLang, map[string]string{"en": "English", "zh": "中文"}[t.lang])
	out = append(out, "", st.nowBar.of(" "+t.startGo+" "), "", st.soft.of(t.startHint))
	if m.flash != "" {
		out = append(out, "", st.changed.of(oneLine(m.flash)))
	}
	for i := range out {
		out[i] = lead + out[i]
	}
	return out
}

func (s *startScreen) chosenName(t *text) string {
	switch {
	case !s.looked:
		return t.startSearching
	case len(s.devices) == 0:
		return t.startNone
	}
	return s.devices[s.chosen].Name
}

// deviceLines lists what was found, and why one cannot be used.
func (s *startScreen) deviceLines(m *model, indent, w int) []string {
	st, t := m.styles, m.text
	const nameW = 10
	pad := strings.Repeat(" ", indent)
	var out []string
	if s.err != nil {
		for _, l := range wrap(s.err.Error(), w-indent, 0) {
			out = append(out, pad+st.fault.of(l))
		}
	}
	for i, d := range s.devices {
		mark, pen := "○ ", st.soft
		if i == s.chosen {
			mark, pen = "● ", st.text
		}
		text := d.Detail
		if d.Unusable != "" {
			text = fmt.Sprintf(t.startUnusable, d.Unusable)
		}
		head := mark + fit(d.Name, max(nameW, width(d.Name)+1))
		for j, l := range wrap(head+text, w-indent, width(head)) {
			if j < 3 {
				out = append(out, pad+pen.of(l))
			}
		}
	}
	if note := s.note(); note != "" {
		out = append(out, "")
		for _, l := range wrap(note, w-indent, 0) {
			out = append(out, pad+st.soft.of(l))
		}
	}
	return out
}

// note returns what to know of the chosen device.
func (s *startScreen) note() string {
	if s.chosen >= len(s.devices) {
		return ""
	}
	return s.devices[s.chosen].Note
}
