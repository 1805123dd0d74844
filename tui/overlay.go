package tui

import (
	"strings"

	"ibtour/steps"
)

// overlayView draws what covers the body.
func (m *model) overlayView(w, h int) []string {
	title, content := "", []string(nil)
	textWidth := min(w-4, textW)
	switch m.overlay {
	case overlayHelp:
		title, content = m.text.helpTitle, m.helpView(w-2)
	case overlaySearch:
		title, content = m.text.searchTitle, m.searchView(w, h-1)
	case overlayPage:
		title, content = m.page.Title, m.md.page(m.page, textWidth)
	case overlayDone:
		title, content = m.text.doneTitle, m.doneView(textWidth, h-1)
	case overlayNone:
	}
	top := min(m.over, max(len(content)-(h-1), 0))
	m.over = top
	out := []string{m.title(title, " "+m.text.hintBack, w, true)}
	indent := "  "
	if m.overlay == overlaySearch {
		indent = ""
	}
	for _, l := range content[top:] {
		out = append(out, indent+l)
	}
	return block(out, w, h)
}

// helpView lists every key, in two columns where there is room.
func (m *model) helpView(w int) []string {
	const keyW, least = 11, 100
	draw := func(gs []group, w int) []string {
		var out []string
		for _, g := range gs {
			out = append(out, m.styles.strong.of(g.title))
			for _, k := range g.keys {
				lead := m.styles.now.of(fit(k.Help().Key, keyW))
				out = append(out, wrap(lead+m.helpText(k.Help().Key, k.Help().Desc), w, keyW)...)
			}
			out = append(out, "")
		}
		return out
	}
	all := m.keys.all()
	if w < least {
		return draw(all, w)
	}
	half := (w - gutter) / 2
	left, right := draw(all[:1], half), draw(all[2:], half)
	mid := draw(all[1:2], half)
	left = append(left, right...)
	h := max(len(left), len(mid))
	return columns(gutter, block(left, half, h), block(mid, half, h))
}

// helpText is what a key does; the key of the next thing has several names.
func (m *model) helpText(name, desc string) string {
	if name == "space" {
		return desc + "  (space, enter, →, n)"
	}
	return desc
}

// doneView says that all is destroyed, and shows the figures once more.
func (m *model) doneView(w, h int) []string {
	v := m.look()
	out := []string{m.styles.strong.of(m.text.doneLead), ""}
	if f := v.figures(); f != nil {
		out = append(out, v.figureLines(f, w, h)...)
		out = append(out, "")
	}
	return append(out, v.wrapped(m.styles.now, m.text.doneKeys, w)...)
}

// leavingView shows the tear-down as it happens.
func (m *model) leavingView() []string {
	s, t := m.styles, m.text
	out := []string{m.title(t.quitTitle, "", m.w, true), ""}
	var lines []string
	for i := range m.hist.visits {
		v := &m.hist.visits[i]
		if v.phase != steps.TearDown {
			continue
		}
		for j := range v.calls {
			c := &v.calls[j]
			if !c.done {
				continue
			}
			pen := s.text
			if c.c.Errno != "" {
				pen = s.fault
			}
			lines = append(lines, "  "+s.soft.of(fit(t.roles[c.end], 8))+pen.of(c.c.Op+" = "+c.c.Result+"  "+c.c.Errno)+
				"  "+s.soft.of(tidy(c.c.Duration)))
		}
	}
	room := max(m.h-6, 1)
	out = append(out, lines[max(len(lines)-room, 0):]...)
	if m.hist.over {
		out = append(out, "", "  "+s.strong.of(t.quitDone), "  "+s.soft.of(t.quitLeave))
	} else {
		out = append(out, "", "  "+s.now.of(t.running))
	}
	for i := range out {
		out[i] = strings.TrimRight(out[i], " ")
	}
	return out
}
