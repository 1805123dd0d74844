package tui

import (
	"fmt"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"ibtour/verbs/softroce"
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

// fuzzKey makes a key, a click or a resize of a byte.
func fuzzKey(m *model, k byte, i int) {
	for _, msg := range fuzzMsg(k, i) {
		m.Update(msg)
	}
}

// fuzzMsg is what a byte stands for. Leaving and starting anew are the business
// of other tests.
func fuzzMsg(k byte, i int) []tea.Msg {
	named := []tea.KeyType{
		tea.KeyEnter, tea.KeyLeft, tea.KeyRight, tea.KeyUp, tea.KeyDown, tea.KeyEsc, tea.KeyTab, tea.KeyShiftTab,
		tea.KeyPgUp, tea.KeyPgDown, tea.KeyHome, tea.KeyEnd, tea.KeyBackspace,
	}
	switch {
	case int(k) < len(named):
		return []tea.Msg{tea.KeyMsg{Type: named[k]}}
	case k < 0x20:
		return []tea.Msg{tea.WindowSizeMsg{Width: int(k) * 7, Height: i + 10}}
	case k >= 0xf0:
		return []tea.Msg{tea.MouseMsg{X: int(k-0xf0) * 9, Y: i, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}}
	case k >= 0xe0:
		return []tea.Msg{tea.MouseMsg{X: int(k-0xe0) * 9, Y: i, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown}}
	case k != 'R' && k != 'O':
		return []tea.Msg{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{rune(k)}}}
	}
	return nil
}

// FuzzTerminal does the same to a whole program on an emulated terminal: what is
// on the terminal is what the model drew, cell by cell, through every resize.
func FuzzTerminal(f *testing.F) {
	f.Add([]byte("n 1234567890\tp.ireg?/rnr\r\x1bLt+zsob"), uint16(120), uint16(40))
	f.Add([]byte("L6cc\x09\x0a\x0bz\x18+\x10L7oo\x1f"), uint16(81), uint16(24))
	f.Add([]byte("L/\x0d\x0e\x0f\x11\x1f\x1e\x10??"), uint16(199), uint16(60))
	base := map[string]*model{"en": recorded(f, "en", nil), "zh": recorded(f, "zh", nil)}
	for _, m := range base {
		inColour(m)
	}
	f.Fuzz(func(t *testing.T, keys []byte, w, h uint16) {
		lang := "en"
		if w%2 == 1 {
			lang = "zh"
		}
		m := *base[lang]
		m.cfg.Devices = devices(softroce.Options{})
		m.run = newSession(t.Context(), base[lang].run.runner, m.send)
		m.breaks, m.dumps = map[int]bool{}, nil
		e := emulate(t, &m, size{int(w%300) + 2, int(h%120) + 2})
		e.settle("the start")
		for i, k := range keys[:min(len(keys), 24)] {
			if k == 'q' {
				continue
			}
			for _, msg := range fuzzMsg(k, i) {
				if s, ok := msg.(tea.WindowSizeMsg); ok {
					e.resize(max(s.Width, 2), s.Height)
				} else {
					e.p.tea.Send(msg)
				}
			}
			e.settle(fmt.Sprintf("key %d, %q", i, k))
		}
		e.leave()
	})
}
