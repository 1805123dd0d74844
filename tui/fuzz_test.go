package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// FuzzKeys presses any keys at any moment and resizes in between: nothing
// panics, and every screen has exactly its size.
func FuzzKeys(f *testing.F) {
	f.Add([]byte("n 1234567890\tp.ireg?/rnr\r\x1bLt+zsob"), uint16(120), uint16(40))
	f.Add([]byte("77oooo\x01\x02\x03\x04jjjj??LLqq"), uint16(80), uint16(24))
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, uint16(200), uint16(60))
	base := map[string]*model{"en": recorded(f, "en", nil), "zh": recorded(f, "zh", nil)}
	f.Fuzz(func(t *testing.T, keys []byte, w, h uint16) {
		for lang, b := range base {
			if (lang == "zh") != (w%2 == 1) {
				continue
			}
			m := *b
			m.run = newSession(t.Context(), b.run.runner, m.send)
			m.breaks = map[int]bool{}
			m.Update(tea.WindowSizeMsg{Width: int(w % 300), Height: int(h % 120)})
			for i, k := range keys[:min(len(keys), 24)] {
				fuzzKey(&m, k, i)
				if m.w > 0 && m.h > 0 {
					screenOf(t, &m)
				}
			}
		}
	})
}

// fuzzKey makes a key, a click or a resize of a byte. Leaving and starting
// anew are the business of other tests.
func fuzzKey(m *model, k byte, i int) {
	named := []tea.KeyType{
		tea.KeyEnter, tea.KeyLeft, tea.KeyRight, tea.KeyUp, tea.KeyDown, tea.KeyEsc, tea.KeyTab, tea.KeyShiftTab,
		tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd, tea.KeyBackspace,
	}
	switch {
	case int(k) < len(named):
		m.Update(tea.KeyMsg{Type: named[k]})
	case k < 0x20:
		m.Update(tea.WindowSizeMsg{Width: int(k) * 7, Height: i + 10})
	case k >= 0xf0:
		m.Update(tea.MouseMsg{X: int(k-0xf0) * 9, Y: i, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	case k >= 0xe0:
		m.Update(tea.MouseMsg{X: int(k-0xe0) * 9, Y: i, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	case k != 'R' && k != 'O':
		m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(k)}})
	}
}
