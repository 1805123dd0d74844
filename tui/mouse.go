package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// wheelLines is how far one step of the wheel scrolls.
const wheelLines = 3

// mouse obeys clicks on steps and tabs, and the wheel.
func (m *model) mouse(msg tea.MouseMsg) {
	if m.screen != screenTour || msg.Action != tea.MouseActionPress {
		return
	}
	l := m.layout()
	switch {
	case l.small:
	case msg.Button == tea.MouseButtonWheelUp:
		m.wheel(&l, msg, -wheelLines)
	case msg.Button == tea.MouseButtonWheelDown:
		m.wheel(&l, msg, wheelLines)
	case msg.Button == tea.MouseButtonLeft:
		m.click(&l, msg.X, msg.Y)
	}
}

func (m *model) wheel(l *layout, msg tea.MouseMsg, by int) {
	if m.overlay != overlayNone {
		m.over = max(m.over+by, 0)
		return
	}
	s, ok := l.at(msg.X, msg.Y)
	if !ok {
		return
	}
	if s.panel == panelSteps || s.panel == panelWire {
		m.show(s.panel)
		m.choose(by)
		return
	}
	m.scrollBy(s.panel, by)
}

// click chooses a tab, a panel or a step. A step that was recorded is shown; a
// later one is only marked, so that no click runs anything.
func (m *model) click(l *layout, x, y int) {
	if l.tabs.has(x, y) {
		for _, t := range m.tabsIn(l.w) {
			if x >= t.from && x < t.to {
				m.overlay = overlayNone
				m.show(t.panel)
			}
		}
		return
	}
	s, ok := l.at(x, y)
	if !ok || m.overlay != overlayNone {
		return
	}
	m.show(s.panel)
	if s.panel != panelSteps || y == s.y {
		return
	}
	stop := m.look().stopAt(y-s.y-1, s.w, s.h-1)
	if stop < 0 {
		return
	}
	g := moment{stop: stop, after: false}
	if c := m.hist.latest(g); c >= 0 && m.hist.moments[c] == g {
		m.move(c)
		m.follow = c == len(m.hist.moments)-1
		return
	}
	m.pick = stop
}
