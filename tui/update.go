package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// Update routes messages; what they do is in methods.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyMsg:
		return m, m.press(msg)
	case tea.MouseMsg:
		m.mouse(msg)
	case devicesMsg:
		return m, m.found(msg)
	case eventsMsg:
		return m, m.happened(msg)
	case heldMsg:
		m.hold(msg)
	case lookMsg:
		if msg.from == m.run && m.hist.at == msg.stop {
			m.hist.live = msg.state
		}
	case backgroundMsg:
		m.background(msg)
	case endMsg:
		return m, m.leave()
	}
	return m, nil
}

// background follows the background of the terminal, unless a theme was chosen.
func (m *model) background(msg backgroundMsg) {
	theme := Light
	if msg.dark {
		theme = Dark
	}
	if m.asks && theme != m.styles.theme {
		m.setTheme(theme)
	}
	m.asks = false
}

// hold takes note that the run waits, unless it was let on meanwhile.
func (m *model) hold(msg heldMsg) {
	if msg.from == m.run {
		m.held, m.heldAt = !m.run.permits(msg.at), msg.at
		m.prefetch()
	}
}

// prefetch renders the text of the step the run stands at, while nobody waits
// for a frame: the next key will show it.
func (m *model) prefetch() {
	i := m.hist.latest(moment{stop: m.hist.at})
	l := m.layout()
	if i < 0 || m.hist.at < 0 || l.small || m.screen != screenTour {
		return
	}
	for _, s := range l.slots {
		if s.panel == panelNote {
			m.lookAt(i).note(s.w)
		}
	}
}

// happened records events and lets the cursor go with them.
func (m *model) happened(msg eventsMsg) tea.Cmd {
	if msg.from != m.run {
		return nil
	}
	for i := range msg.events {
		m.hist.add(&msg.events[i])
	}
	m.skipped = msg.skipped
	m.stopAtFailure()
	m.passed()
	if m.follow {
		if c := m.hist.latest(m.goal); c != m.cursor {
			m.move(c)
		}
	}
	if !m.hist.over {
		return nil
	}
	if m.leaving {
		return tea.Quit
	}
	if m.hist.err == nil && m.screen == screenTour && m.follow && m.goal.stop == len(m.hist.visits) {
		m.overlay, m.over = overlayDone, 0
	}
	return nil
}

// stopAtFailure ends the following at the step that failed: what comes after
// it is the tear-down.
func (m *model) stopAtFailure() {
	if m.hist.stopped == nil || m.screen != screenTour {
		return
	}
	for i, v := range m.hist.visits {
		if v.err != nil && !v.torn {
			if here := (moment{stop: i, after: true}); here.before(m.goal) {
				m.goal = here
			}
			return
		}
	}
}

// passed moves the goal behind a step in front of which the run did not wait:
// one that made no call, or failed before it. What is about to happen there has
// happened.
func (m *model) passed() {
	if g := m.goal; g.stop < len(m.hist.visits) && m.hist.visits[g.stop].done {
		m.goal.after = true
	}
}

// move puts the cursor on a moment. A step that is reached may show its first
// call.
func (m *model) move(to int) {
	m.cursor, m.seen = to, max(m.seen, to)
	m.scroll = [panelCount]int{}
	m.packet, m.pick, m.changeAt = 0, -1, -1
	m.opened = m.opened && m.focus == panelWire
}

// permit is how far the run may go to reach a moment: past a step, or up to
// its first call. A step that all ends take together is held before it begins.
func (m *model) permit(g moment) place {
	switch {
	case g.after:
		return place{g.stop + 1, 0}
	case g.stop < len(m.hist.visits) && m.hist.visits[g.stop].together:
		return place{g.stop, 0}
	}
	return place{g.stop, 1}
}

// aim lets the run go on to a moment, or to the first breakpoint on the way.
func (m *model) aim(g moment) {
	from := m.hist.at
	for b := range m.breaks {
		if here := (moment{stop: b}); b > from && here.before(g) {
			g = here
		}
	}
	m.goal, m.follow = g, true
	m.run.leave()
	if m.heldAt.before(m.permit(g)) {
		m.held = false
	}
	m.run.allow(m.permit(g))
	if c := m.hist.latest(g); c != m.cursor {
		m.move(c)
	}
}
