package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func click(m *model, x, y int, b tea.MouseButton) {
	m.Update(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: b})
}

// TestMouse clicks a tab, a step that was recorded and one that is to come,
// and turns the wheel.
func TestMouse(t *testing.T) {
	m := recorded(t, "en", nil)
	m.w, m.h = 120, 40
	m.goTo(t, "server/open_device", true)
	for _, tab := range m.tabsIn(m.w) {
		click(m, tab.from+1, 1, tea.MouseButtonLeft)
		if m.focus != tab.panel {
			t.Errorf("a click on %q gives %d the keys", tab.text, m.focus)
		}
	}
	click(m, 6, 4, tea.MouseButtonLeft) // the first line is the phase
	if m.current() != (moment{stop: 0, after: false}) {
		t.Errorf("a click on the first step shows %v", m.current())
	}
	click(m, 60, 10, tea.MouseButtonWheelDown)
	if m.scroll[panelNote] != wheelLines {
		t.Errorf("the wheel scrolled the text by %d", m.scroll[panelNote])
	}
	m.hist.moments = m.hist.moments[:1]
	click(m, 6, 6, tea.MouseButtonLeft)
	if m.pick != 2 || m.cursor != 0 {
		t.Errorf("a click on a step to come chose %d and shows moment %d", m.pick, m.cursor)
	}
}

// TestSearch finds a verb, a status and a step, and opens what it found.
func TestSearch(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"ibv_reg_mr", "Register the memory"},
		{"EINVAL", "EINVAL"},
		{"12", "RETRY"},
		{"保护域", "protection domain"},
		{"poll_cq", "client"},
	} {
		m := recorded(t, "en", nil)
		m.w, m.h = 120, 40
		m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/")})
		for _, r := range c.word {
			m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
		if s := screenOf(t, m); !strings.Contains(s, c.want) {
			t.Errorf("%q does not find %q:\n%s", c.word, c.want, s)
		}
		m.press(tea.KeyMsg{Type: tea.KeyEnter})
		if m.overlay == overlaySearch {
			t.Errorf("%q: enter opens nothing", c.word)
		}
		m.press(tea.KeyMsg{Type: tea.KeyEsc})
	}
}

// TestAppearance changes language, theme and presenter mode at once.
func TestAppearance(t *testing.T) {
	m := recorded(t, "en", nil)
	m.w, m.h = 120, 40
	m.goTo(t, "server/reg_mr", true)
	key := func(k string) { m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}) }
	key("L")
	if s := screenOf(t, m); !strings.Contains(s, "注册内存") || strings.Contains(s, "Register the memory") {
		t.Error("the language did not change at once")
	}
	key("+")
	if l := m.layout(); l.shows(panelSteps) || !strings.Contains(screenOf(t, m), "+") {
		t.Error("the presenter still has the list, or no key stroke")
	}
	for range themes {
		key("t")
		screenOf(t, m)
	}
	if m.styles.theme != Dark {
		t.Errorf("the themes do not come round: %q", m.styles.theme)
	}
}

// TestFits sends dumb terminals to the plain text.
func TestFits(t *testing.T) {
	for term, want := range map[string]bool{"": false, "dumb": false, "xterm": true, "linux": true, "tmux-256color": true} {
		if why, ok := Fits(term); ok != want || (why == "") != want {
			t.Errorf("%q: %v, %q", term, ok, why)
		}
	}
}

// TestStrangeKeys: a key is named in characters that a terminal shows, whatever
// it is, and what is pasted into a line of the start screen is taken whole or
// not at all.
func TestStrangeKeys(t *testing.T) {
	for typed, want := range map[string]string{
		"ü": "ü", "中": "中", "\u0080": `\u0080`, "\u0301": `\u0301`, "\x1b[31m": `[\x1b[31m]`, "a\nb": `[a\nb]`,
	} {
		m := recorded(t, "en", nil)
		m.w, m.h = 120, 40
		m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(typed), Paste: len(typed) > 2 && strings.ContainsAny(typed, "\n\x1b")})
		if s := screenOf(t, m); !strings.Contains(s, "\n"+want+" does nothing here") {
			t.Errorf("%q: the last line is %q", typed, s[strings.LastIndex(s, "\n")+1:])
		}
	}
	m := recorded(t, "en", nil)
	m.screen, m.start.role, m.start.at, m.start.host = screenStart, 2, startHost, "h"
	for _, typed := range []string{"1", "a\x1b[31m", "b\n", "-x", "中"} {
		m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(typed)})
	}
	if m.start.host != "h1-x" {
		t.Errorf("the host is %q", m.start.host)
	}
	m.start.at, m.start.size = startSize, "4"
	for _, typed := range []string{"0", "1x", "96"} {
		m.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(typed)})
	}
	if m.start.size != "4096" {
		t.Errorf("the size is %q", m.start.size)
	}
	m.flash = "one\ntwo\x1b[31m"
	m.w, m.h = 80, 24
	if s := screenOf(t, m); !strings.Contains(s, "one two [31m") {
		t.Errorf("an error of two lines:\n%s", s)
	}
}
