package tui

import (
	"fmt"
	"sort"
	"strings"

	"ibtour/steps"
)

func (m *model) layout() layout {
	return arrange(m.w, m.h, show{
		focus: m.focus, side: m.side, presenter: m.presenter,
		zoom: m.zoom || m.opened && m.focus == panelWire,
	})
}

// View draws the screen: exactly as many lines as the terminal has, each as
// wide as it is. Before the size is known it is empty.
func (m *model) View() string {
	if m.w <= 0 || m.h <= 0 {
		return ""
	}
	var lines []string
	l := m.layout()
	switch {
	case l.small:
		lines = m.tooSmall()
	case m.screen == screenStart:
		lines = m.start.view(m)
	case m.screen == screenLeaving:
		lines = m.leavingView()
	default:
		lines = m.tour(&l)
	}
	return strings.Join(block(lines, m.w, m.h), "\n")
}

func (m *model) tooSmall() []string {
	text := strings.Split(fmt.Sprintf(m.text.tooSmall, leastW, leastH, m.w, m.h), "\n")
	out := make([]string, max((m.h-len(text))/2, 0))
	for _, line := range text {
		out = append(out, strings.Repeat(" ", max((m.w-width(line))/2, 0))+line)
	}
	return out
}

// tour draws the walk.
func (m *model) tour(l *layout) []string {
	v := m.look()
	lines := make([]string, 0, l.h)
	lines = append(lines, m.header(v, l.w), m.tabBar(l))
	body := l.h - chrome
	if m.overlay != overlayNone {
		lines = append(lines, m.overlayView(l.w, body)...)
		return append(lines, m.footer(l.w))
	}
	placed := make([]drawn, 0, len(l.slots)+1)
	for _, s := range l.slots {
		placed = append(placed, drawn{s.rect, m.frame(v, s)})
	}
	if l.strip.h > 0 {
		placed = append(placed, drawn{l.strip, block(v.strip(l.strip.w), l.strip.w, l.strip.h)})
	}
	lines = append(lines, m.compose(placed, l.w, headRows, body)...)
	return append(lines, m.footer(l.w))
}

// drawn is a block of lines at its place.
type drawn struct {
	rect
	lines []string
}

// compose puts blocks together. Where columns meet stands a thin line.
func (m *model) compose(parts []drawn, w, y0, h int) []string {
	sort.SliceStable(parts, func(i, j int) bool { return parts[i].x < parts[j].x })
	out := make([]string, h)
	rule := " " + m.styles.faint.of("│") + " "
	for y := range out {
		var row strings.Builder
		x := 0
		for _, p := range parts {
			if y+y0 < p.y || y+y0 >= p.y+p.h {
				continue
			}
			switch gap := p.x - x; {
			case gap == gutter && x > 0:
				row.WriteString(rule)
			case gap > 0:
				row.WriteString(strings.Repeat(" ", gap))
			}
			row.WriteString(p.lines[y+y0-p.y])
			x = p.x + p.w
		}
		out[y] = fit(row.String(), w)
	}
	return out
}

// frame draws a panel with its title.
func (m *model) frame(v *view, s slot) []string {
	content := v.content(s.panel, s.w, s.h-1)
	h := s.h - 1
	top := min(m.scroll[s.panel], max(content.n-h, 0))
	m.scroll[s.panel] = top
	right := ""
	if rest := content.n - top - h; rest > 0 {
		right = fmt.Sprintf(" ↓%d", rest)
	}
	if top > 0 {
		right = fmt.Sprintf(" ↑%d", top) + right
	}
	out := []string{m.title(v.titleOf(s.panel), right, s.w, s.panel == m.focus)}
	return append(out, block(content.cut(top, h), s.w, h)...)
}

// title is the first line of a panel: its name on a thin rule.
func (m *model) title(name, right string, w int, focused bool) string {
	s := m.styles
	name = " " + name + " "
	mark, pen := s.faint.of("──"), s.strong
	if focused {
		mark, pen = s.now.of("▌")+s.faint.of("─"), s.now
	}
	n := max(w-2-width(name)-width(right), 0)
	return fit(mark+pen.of(name)+s.faint.of(strings.Repeat("─", n))+s.soft.of(right), w)
}

// header says what is run, where we are and how far.
func (m *model) header(v *view, w int) string {
	s, t := m.styles, m.text
	who := t.bothHere
	if len(m.roles) == 1 {
		who = fmt.Sprintf(t.oneHere, t.roles[m.roles[0]])
	}
	left := s.now.of("ibtour") + s.soft.of("  "+m.cfg.Tour.Name+" · "+m.device.Name+" · "+who)
	n := len(m.hist.visits)
	c := m.current()
	bar, rest := gauge(uint64(c.stop+1), uint64(n), 16)
	right := m.status(v) + s.soft.of("  "+v.visit.phase.In(t.lang)+" "+fmt.Sprintf(t.stopsLeft, c.stop+1, n)+" ") +
		s.now.of(bar) + s.faint.of(rest)
	return spread(left, right, w)
}

// status says in a word what the moment shown is.
func (m *model) status(v *view) string {
	s, t := m.styles, m.text
	switch {
	case m.cursor < 0:
		return s.soft.of(t.running)
	case v.visit.err != nil && v.m.after:
		return s.fault.of(t.failed)
	case m.cursor < m.seen || !v.m.after && v.visit.done:
		return s.soft.of(t.reread)
	case v.m.after:
		return s.changed.of(t.after)
	case (!m.held || m.heldAt.stop > v.m.stop) && !m.hist.over && v.m.before(m.goal):
		return s.now.of(t.running)
	case v.m.call > 0:
		return s.now.of(v.callText(v.visit.numbered(v.m.call)))
	}
	return s.now.of(t.before)
}

// tab is a name in the bar, at its cells.
type tab struct {
	panel    panel
	from, to int
	text     string
}

// tabsIn lays the bar out; where it is narrow, names come closer.
func (m *model) tabsIn(w int) []tab {
	var out []tab
	for gap := 3; gap >= 1; gap-- {
		out = out[:0]
		x := 0
		for i := range panelCount {
			p := (i + 1) % panelCount // 0, the steps, is last as on a keyboard
			text := fmt.Sprintf("%d %s", p, m.text.panels[p])
			out = append(out, tab{p, x, x + width(text), text})
			x += width(text) + gap
		}
		if x-gap <= w {
			break
		}
	}
	return out
}

func (m *model) tabBar(l *layout) string {
	s := m.styles
	var b strings.Builder
	x := 0
	for _, t := range m.tabsIn(l.w) {
		b.WriteString(strings.Repeat(" ", t.from-x))
		switch {
		case t.panel == m.focus:
			b.WriteString(s.now.of(t.text))
		case l.shows(t.panel):
			b.WriteString(t.text)
		default:
			b.WriteString(s.soft.of(t.text))
		}
		x = t.to
	}
	return b.String()
}

// footer names the keys, or says what the last one did.
func (m *model) footer(w int) string {
	s := m.styles
	if m.flash != "" {
		return fit(s.changed.of(oneLine(m.flash)), w)
	}
	if m.atFailure() {
		return fit(s.fault.of(m.text.failKeys), w)
	}
	right := ""
	if m.presenter && m.pressed != "" {
		right = "  " + s.nowBar.of(" "+m.pressed+" ")
	}
	var b strings.Builder
	used := 0
	for _, k := range m.keys.footer(m.run != nil && m.entered()) {
		n := width(k.Help().Key) + 1 + width(k.Help().Desc) + 3
		if used+n-3 > w-width(right) {
			break
		}
		if used > 0 {
			b.WriteString(s.faint.of(" · "))
		}
		b.WriteString(s.now.of(k.Help().Key) + " " + s.soft.of(k.Help().Desc))
		used += n
	}
	return spread(b.String(), right, w)
}

// atFailure tells whether the moment shown is the one where the run failed.
func (m *model) atFailure() bool {
	c := m.current()
	if !m.hist.over || !c.after || c.stop >= len(m.hist.visits) {
		return false
	}
	v := &m.hist.visits[c.stop]
	return v.err != nil && !v.torn
}

// look gathers what the panels show.
func (m *model) look() *view { return m.lookAt(m.cursor) }

// lookAt is look at a recorded moment.
func (m *model) lookAt(i int) *view {
	v := &view{model: m, t: m.text, s: m.styles, h: m.hist}
	if i >= 0 && i < len(m.hist.moments) {
		v.m = m.hist.moments[i]
	}
	v.now, v.before = m.hist.snapshot(i)
	if v.m.stop < len(m.hist.visits) {
		v.visit = &m.hist.visits[v.m.stop]
	} else {
		v.visit = &visit{}
	}
	switch {
	case v.m.after:
		v.list = v.visit.changes
	case v.m.call > 0:
		v.list = steps.Diff(v.before, v.now)
	}
	v.changes = map[string]steps.Change{}
	for _, c := range v.list {
		v.changes[c.Name] = c
	}
	return v
}
