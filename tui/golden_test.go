package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibtour/annotations"
	"ibtour/verbs/softroce"
)

type size struct{ w, h int }

var sizes = []size{{80, 24}, {120, 40}, {200, 60}}

// screenOf returns the settled screen without colours, and checks that it has
// exactly h lines of w cells.
func screenOf(tb testing.TB, m *model) string {
	tb.Helper()
	lines := strings.Split(m.View(), "\n")
	if len(lines) != m.h {
		tb.Fatalf("%d lines on a screen of %d×%d", len(lines), m.w, m.h)
	}
	for i, l := range lines {
		if n := width(l); n != m.w {
			tb.Fatalf("line %d has %d cells on a screen of %d×%d: %q", i, n, m.w, m.h, ansi.Strip(l))
		}
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

// golden compares with a file, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: go test ./tui -update writes it", err)
	}
	if string(want) != got {
		t.Errorf("%s differs: look at it, then go test ./tui -update\n%s", path, firstDifference(string(want), got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return fmt.Sprintf("line %d\nwant %q\ngot  %q", i+1, w[i], g[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// TestPanels has every panel in three sizes and both languages, at a moment
// where it has something to show.
func TestPanels(t *testing.T) {
	opts := testOptions()
	opts.Check = true
	patterned := recordWith(t, &opts, nil, nil)
	for _, lang := range []string{"en", "zh"} {
		m, changed := recorded(t, lang, nil), replay(t, lang, patterned)
		for _, s := range sizes {
			t.Run(fmt.Sprintf("%s_%dx%d", lang, s.w, s.h), func(t *testing.T) {
				m.w, m.h = s.w, s.h
				var out strings.Builder
				for p := range panelCount {
					m.goTo(t, "client/qp_rtr", true)
					if p == panelQueues || p == panelWire || p == panelMemory {
						m.goTo(t, "client/poll_cq", true)
					}
					m.show(p)
					fmt.Fprintf(&out, "=== %s ===\n%s\n", english.panels[p], screenOf(t, m))
				}
				changed.w, changed.h = s.w, s.h
				changed.goTo(t, "client/post_send", true)
				changed.show(panelMemory)
				fmt.Fprintf(&out, "=== Memory, changed ===\n%s\n", screenOf(t, changed))
				golden(t, "panels_"+lang+fmt.Sprintf("_%dx%d", s.w, s.h), out.String())
			})
		}
	}
}

// TestScreens has the rest, in three sizes and both languages: before a call,
// the figures, the source, a packet, a zoomed panel, help, search and what it
// opens, the end, the presenter, leaving, the start with its devices and without.
func TestScreens(t *testing.T) {
	scenes := []struct {
		name string
		set  func(*model)
	}{
		{"before a call", func(m *model) { m.goTo(t, "server/create_qp", false) }},
		{"a step without a call", func(m *model) { m.goTo(t, "server/repost_recv", true); m.seen = m.cursor }},
		{"figures", func(m *model) { m.goTo(t, "iterate", true); m.show(panelCall) }},
		{"source", func(m *model) { m.goTo(t, "server/qp_init", true); m.show(panelCall); m.source = true }},
		{"packet", func(m *model) { m.goTo(t, "server/poll_cq", true); m.show(panelWire); m.packet, m.opened = 1, true }},
		{"help", func(m *model) { m.overlay = overlayHelp }},
		{"search", func(m *model) {
			m.overlay, m.search = overlaySearch, newSearchBox(m)
			m.search.input.SetValue("rnr")
			m.search.hits = m.find("rnr")
		}},
		{"page", func(m *model) {
			p, ok := m.book().Open(annotations.TermEntry, "rnr")
			if !ok {
				t.Fatal("no entry for rnr")
			}
			m.setPage(p)
		}},
		{"zoom", func(m *model) { m.goTo(t, "client/qp_rtr", true); m.show(panelQP); m.zoom = true }},
		{"the end", func(m *model) { m.overlay = overlayDone }},
		{"presenter", func(m *model) { m.goTo(t, "client/post_send", true); m.presenter, m.pressed = true, "space" }},
		{"leaving", func(m *model) { m.screen = screenLeaving }},
		{"start", func(m *model) { m.screen = screenStart; m.found(devicesMsg{devices: twoDevices()}) }},
		{"start, soft0 alone", func(m *model) {
			m.screen = screenStart
			m.found(devicesMsg{devices: []Device{{
				Name: "soft0", Detail: "the RoCE v2 device inside ibtour: every packet can be seen", Soft: true,
				Note: "using soft0, the RoCE v2 device inside ibtour: this kernel has no RDMA: no driver of an RDMA device is loaded",
			}}})
		}},
		{"start, looking", func(m *model) { m.screen = screenStart }},
		{"start, client", func(m *model) {
			m.screen = screenStart
			m.found(devicesMsg{devices: twoDevices()})
			m.start.role, m.start.at, m.start.host = 2, startHost, "192.0.2.1"
		}},
	}
	for _, lang := range []string{"en", "zh"} {
		for _, s := range sizes {
			t.Run(fmt.Sprintf("%s_%dx%d", lang, s.w, s.h), func(t *testing.T) {
				base := recorded(t, lang, nil)
				var out strings.Builder
				for _, scene := range scenes {
					m := *base
					m.w, m.h = s.w, s.h
					scene.set(&m)
					fmt.Fprintf(&out, "=== %s ===\n%s\n", scene.name, screenOf(t, &m))
				}
				golden(t, "screens_"+lang+fmt.Sprintf("_%dx%d", s.w, s.h), out.String())
			})
		}
	}
}

func twoDevices() []Device {
	return []Device{
		{Name: "mlx5_0", Unusable: "mlx5_0 port 1 is not active but IBV_PORT_DOWN: it has no link"},
		{Name: "soft0", Detail: "ACTIVE, Ethernet, GID ::ffff:127.0.0.1", Soft: true},
	}
}

// TestFailure has a step that fails, with its reason, in three sizes.
func TestFailure(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		m := recorded(t, lang, func(o *softroce.Options) { o.MaxPinned = -1 })
		for _, s := range sizes {
			m.w, m.h = s.w, s.h
			m.goTo(t, "server/reg_mr", true)
			got := screenOf(t, m)
			for _, want := range []string{"EPERM (operation not permitted)", m.text.failTitle, "ulimit -l"} {
				if !strings.Contains(got, want) {
					t.Errorf("%s %d×%d: the screen does not say %q:\n%s", lang, s.w, s.h, want, got)
				}
			}
			golden(t, fmt.Sprintf("failure_%s_%dx%d", lang, s.w, s.h), got)
		}
	}
}
