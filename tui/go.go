package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// current is the moment shown.
func (m *model) current() moment {
	if m.hist == nil || m.cursor < 0 || m.cursor >= len(m.hist.moments) {
		return moment{}
	}
	return m.hist.moments[m.cursor]
}

// next does the next thing: read on, or execute, or go to the next step.
func (m *model) next() {
	h := m.hist
	switch {
	case m.cursor < 0:
		return // nothing has come yet
	case m.cursor < len(h.moments)-1:
		m.forward()
		return
	case h.over:
		m.flash = m.text.atEnd
		if h.err == nil {
			m.overlay, m.over = overlayDone, 0
		}
		return
	}
	if m.entered() && !m.current().after {
		m.into()
		return
	}
	g := moment{stop: m.current().stop, after: true}
	if m.current().after {
		g = moment{stop: m.current().stop + 1}
	}
	if !m.held && (m.goal == g || g.before(m.goal)) {
		m.flash = m.text.stillRunning
		return
	}
	m.aim(g)
}

// forward shows the next recorded moment. At the last one, the run may show
// its first call.
func (m *model) forward() {
	m.move(m.cursor + 1)
	if m.cursor == len(m.hist.moments)-1 && !m.hist.over {
		m.follow = true
		if c := m.current(); m.goal.before(c) {
			m.aim(c)
		}
	}
}

func (m *model) back() {
	if m.cursor <= 0 {
		m.flash = m.text.atStart
		return
	}
	m.move(m.cursor - 1)
	m.follow = false
}

// entered tells whether the calls of the step the run is at are gone through
// one by one.
func (m *model) entered() bool { return m.hist.at >= 0 && m.run.runner.Entered(m.hist.at) }

// into enters the step that is about to happen: it executes one call, and holds
// before the next one of the same step, even if that is the same once more.
func (m *model) into() {
	c := m.current()
	switch {
	case m.cursor < 0:
		return // nothing has come yet
	case len(m.hist.visits[c.stop].calls) == 0 && m.hist.visits[c.stop].done:
		m.flash = m.text.noCallToEnter
	case m.hist.over, c.after:
		m.flash = m.text.nothingToEnter
	case m.cursor < len(m.hist.moments)-1:
		m.flash = m.text.recordedAlready
	case !m.held || m.heldAt != m.placeOf(c):
		m.flash = m.text.stillRunning
	default:
		m.goal, m.follow, m.held = moment{stop: c.stop, after: true}, true, false
		m.run.into()
	}
}

// placeOf is where a run is held at a moment. It may be held at a place further
// on, whose events have not come yet.
func (m *model) placeOf(c moment) place {
	if c.call == 0 && !m.hist.visits[c.stop].together {
		return place{c.stop, 1}
	}
	return place{c.stop, c.call}
}

// out leaves the entered step: its other calls are made without a stop.
func (m *model) out() {
	switch {
	case !m.entered():
		m.flash = m.text.notEntered
	case !m.held:
		m.flash = m.text.stillRunning
	default:
		m.aim(moment{stop: m.hist.at, after: true})
	}
}

// toResult runs the iterations at full speed, or shows their result again.
func (m *model) toResult() {
	for i, v := range m.hist.visits {
		if v.together {
			m.runOn(moment{stop: i, after: true})
			m.focusCall()
			return
		}
	}
}

// focusCall shows the figures where they are not on the screen already.
func (m *model) focusCall() {
	if l := m.layout(); !l.shows(panelCall) {
		m.show(panelCall)
	}
}

// toEnd runs to beyond the last step.
func (m *model) toEnd() { m.runOn(moment{stop: len(m.hist.visits)}) }

// runTo runs to the step chosen in the list, or shows it again.
func (m *model) runTo(stop int) { m.runOn(moment{stop: stop}) }

// runOn runs to a moment, or shows it if it is recorded.
func (m *model) runOn(g moment) {
	c := m.hist.latest(g)
	if c >= 0 && m.hist.moments[c] == g || m.hist.over {
		m.move(max(c, 0))
		m.follow = m.cursor == len(m.hist.moments)-1
		return
	}
	m.aim(g)
	if m.goal == g && g.stop < len(m.hist.visits) {
		m.flash = fmt.Sprintf(m.text.running2, m.hist.visits[g.stop].id)
	}
}

func (m *model) toggleBreak() {
	if m.pick < 0 {
		m.flash = m.text.noBreak
		return
	}
	if m.breaks[m.pick] {
		delete(m.breaks, m.pick)
		m.flash = m.text.breakOff
		return
	}
	m.breaks[m.pick] = true
	m.flash = m.text.breakOn
	if here := (moment{stop: m.pick}); m.pick > m.hist.at && here.before(m.goal) {
		m.goal = here
		m.run.limit(m.permit(here))
	}
}

// quit leaves the tour, and shows how what was made is destroyed.
func (m *model) quit() tea.Cmd {
	if m.run == nil || m.hist.over {
		return tea.Quit
	}
	m.screen = screenLeaving
	m.run.cancel(errLeft)
	return nil
}

// leave tears down and ends the program as soon as that is done.
func (m *model) leave() tea.Cmd {
	m.leaving = true
	return m.quit()
}
