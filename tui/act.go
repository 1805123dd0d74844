package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ibtour/annotations"
)

// press obeys a key. A key that means nothing here says so and does nothing.
func (m *model) press(msg tea.KeyMsg) tea.Cmd {
	m.flash, m.pressed = "", spelledKey(msg)
	k := m.keys
	switch {
	case key.Matches(msg, k.Leave):
		return m.leave()
	case key.Matches(msg, k.Suspend):
		return suspend
	}
	switch {
	case m.screen == screenStart:
		return m.pressStart(msg)
	case m.screen == screenLeaving:
		if m.hist.over {
			return tea.Quit
		}
		return nil
	case m.overlay == overlaySearch:
		return m.pressSearch(msg)
	case m.pressLook(msg):
		return nil
	case m.overlay != overlayNone:
		if m.pressOverlay(msg) {
			return nil
		}
	}
	return m.pressTour(msg)
}

// pressLook handles the keys that only change how things look.
func (m *model) pressLook(msg tea.KeyMsg) bool {
	k := m.keys
	switch {
	case key.Matches(msg, k.Lang):
		m.setLang(m.text.other())
	case key.Matches(msg, k.Theme):
		i := slices.Index(themes, m.styles.theme)
		m.setTheme(themes[(i+1)%len(themes)])
		m.asks = false
		m.flash = fmt.Sprintf(m.text.themeNow, m.styles.theme)
	case key.Matches(msg, k.Presenter):
		m.presenter = !m.presenter
	case key.Matches(msg, k.Help):
		m.toggle(overlayHelp)
	case key.Matches(msg, k.Search):
		m.overlay, m.search = overlaySearch, newSearchBox(m)
	default:
		return false
	}
	return true
}

func (m *model) setLang(t *text) {
	m.text, m.keys = t, newKeyMap(&t.keys)
	if m.overlay == overlayPage {
		if p, ok := m.book().Open(m.page.Kind, m.page.ID); ok {
			m.page = p
		}
	}
}

func (m *model) toggle(o overlay) {
	if m.overlay == o {
		o = overlayNone
	}
	m.overlay, m.over = o, 0
}

// pressOverlay scrolls and closes what covers the body. Keys of the tour close
// it and then do what they do.
func (m *model) pressOverlay(msg tea.KeyMsg) bool {
	k := m.keys
	switch {
	case key.Matches(msg, k.Up):
		m.over--
	case key.Matches(msg, k.Down):
		m.over++
	case key.Matches(msg, k.PageUp):
		m.over -= m.h / 2
	case key.Matches(msg, k.PageDown):
		m.over += m.h / 2
	case key.Matches(msg, k.Close):
		m.overlay = overlayNone
	case m.overlay == overlayHelp && key.Matches(msg, k.Next):
		m.overlay = overlayNone // whoever reads the help does not mean to execute
	default:
		m.overlay = overlayNone
		return false
	}
	m.over = max(m.over, 0)
	return true
}

// pressTour handles the keys of the walk.
func (m *model) pressTour(msg tea.KeyMsg) tea.Cmd {
	k := m.keys
	switch {
	case m.focus == panelSteps && msg.String() == "enter" && m.pick >= 0:
		m.runTo(m.pick)
	case key.Matches(msg, k.Next):
		m.next()
	case key.Matches(msg, k.Back):
		m.back()
	case key.Matches(msg, k.Present):
		m.follow = true
		m.move(m.hist.latest(m.goal))
	case key.Matches(msg, k.Into):
		m.into()
	case key.Matches(msg, k.Out):
		m.out()
	case key.Matches(msg, k.Result):
		m.toResult()
	case key.Matches(msg, k.End):
		m.toEnd()
	case key.Matches(msg, k.GoTo):
		m.show(panelSteps)
	case key.Matches(msg, k.Break):
		m.toggleBreak()
	case key.Matches(msg, k.Quit):
		return m.quit()
	case key.Matches(msg, k.Retry) && m.hist.over:
		return m.begin()
	case key.Matches(msg, k.Options) && m.hist.over:
		m.screen = screenStart
		return m.devicesCmd()
	default:
		m.pressPanel(msg)
	}
	return nil
}

// endOfPanel is further than any panel is long.
const endOfPanel = 1 << 30

// pressPanel handles the keys of the panels.
func (m *model) pressPanel(msg tea.KeyMsg) {
	k := m.keys
	switch {
	case key.Matches(msg, k.Panel):
		m.show(panel(msg.Runes[0] - '0'))
	case key.Matches(msg, k.NextPane):
		m.show((m.focus + 1) % panelCount)
	case key.Matches(msg, k.PrevPane):
		m.show((m.focus + panelCount - 1) % panelCount)
	case key.Matches(msg, k.Up):
		m.choose(-1)
	case key.Matches(msg, k.Down):
		m.choose(1)
	case key.Matches(msg, k.PageUp):
		m.choose(-m.page10())
	case key.Matches(msg, k.PageDown):
		m.choose(m.page10())
	case key.Matches(msg, k.Top):
		m.choose(-endOfPanel)
	case key.Matches(msg, k.Bottom):
		m.choose(endOfPanel)
	case key.Matches(msg, k.Source):
		m.source = !m.source
		m.scroll[panelCall] = 0
		if l := m.layout(); !l.shows(panelCall) {
			m.show(panelCall)
			m.source = true
		}
	case key.Matches(msg, k.Open):
		m.open()
	case key.Matches(msg, k.Change):
		m.toChange()
	case key.Matches(msg, k.Zoom):
		m.zoom = !m.zoom
	case key.Matches(msg, k.Close):
		m.opened, m.pick, m.source, m.zoom = false, -1, false, false
	default:
		m.flash = fmt.Sprintf(m.text.wrongKey, m.pressed)
	}
}

// page10 is how far a page goes: a little less than the focused panel.
func (m *model) page10() int {
	l := m.layout()
	for _, s := range l.slots {
		if s.panel == m.focus {
			return max(s.h-3, 1)
		}
	}
	return 1
}

// show gives a panel the keys.
func (m *model) show(p panel) {
	m.focus = p
	if p >= panelObjects {
		m.side = p
	}
}

// choose moves the choice of a panel that has one, and scrolls the others.
func (m *model) choose(by int) {
	switch {
	case m.focus == panelSteps:
		if m.pick < 0 {
			m.pick = m.current().stop
		}
		m.pick = min(max(m.pick+by, 0), len(m.hist.visits)-1)
	case m.focus == panelWire && !m.opened:
		m.choosePacket(by)
	default:
		m.scrollBy(m.focus, by)
	}
}

// scrollBy moves what a panel shows. The next change is then one below its top.
func (m *model) scrollBy(p panel, by int) {
	m.scroll[p] = max(m.scroll[p]+by, 0)
	if p == panelMemory {
		m.changeAt = m.scroll[p]
	}
}

func (m *model) choosePacket(by int) {
	n := m.packetsSeen()
	if n == 0 {
		return
	}
	if m.packet == 0 {
		m.packet = n
	}
	m.packet = min(max(m.packet+by, 1), n)
}

// packetsSeen is how many packets there were up to the moment shown.
func (m *model) packetsSeen() int {
	n := 0
	at := m.current().stop
	if c := m.current(); c.call > 0 && m.cursor < len(m.hist.moments)-1 {
		return m.hist.visits[at].numbered(c.call).packets
	}
	for i := range m.hist.wire.rungs {
		if m.hist.wire.rungs[i].stop <= at {
			n = i + 1
		}
	}
	return n
}

func (m *model) open() {
	if m.focus != panelWire {
		m.show(panelWire)
	}
	switch n := m.packetsSeen(); {
	case n == 0:
		m.flash = m.text.noPacket
	case m.packet == 0:
		m.packet, m.opened = n, true
	default:
		m.opened = !m.opened
	}
	m.scroll[panelWire] = 0
}

// toChange scrolls the memory to the next bytes that changed, with a line above
// them.
func (m *model) toChange() {
	if m.focus != panelMemory {
		m.show(panelMemory)
		m.scroll[panelMemory] = 0
		m.changeAt = -1
	}
	for _, s := range m.layout().slots {
		if s.panel != panelMemory {
			continue
		}
		at := m.look().memory(s.w, s.h-1).next(m.changeAt)
		if at < 0 {
			m.flash = m.text.noChange
			return
		}
		m.changeAt = at
		m.scroll[panelMemory] = max(at-1, 0)
	}
}

// setPage opens a page over the tour.
func (m *model) setPage(p annotations.Page) {
	m.page, m.overlay, m.over = p, overlayPage, 0
}

// spelledKey names a key so that it can be shown: a terminal would obey a
// control character, and put an accent on the character before it.
func spelledKey(msg tea.KeyMsg) string {
	s := msg.String()
	unseen := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case s == " ":
		return "space"
	case strings.ContainsFunc(s, unseen) || width(s) == 0:
		return strings.Trim(strconv.QuoteToASCII(s), `"`)
	}
	return s
}
