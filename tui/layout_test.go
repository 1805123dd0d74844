package tui

import (
	"strings"
	"testing"
)

// sketch draws a layout in box characters, a fourth as large.
func sketch(l layout) string {
	const sx, sy = 5, 3
	if l.small {
		return "too small"
	}
	names := map[panel]string{
		panelSteps: "steps", panelNote: "note", panelCall: "call", panelObjects: "objects", panelWire: "wire", panelQP: "qp", panelMemory: "memory",
	}
	w, h := l.w/sx+1, l.h/sy+1
	grid := make([][]rune, h)
	for y := range grid {
		grid[y] = []rune(strings.Repeat(" ", w))
	}
	set := func(x, y int, r rune) { grid[min(y, h-1)][min(x, w-1)] = r }
	box := func(r rect, name string) {
		x0, y0, x1, y1 := r.x/sx, r.y/sy, (r.x+r.w-1)/sx, (r.y+r.h-1)/sy
		for x := x0; x <= x1; x++ {
			set(x, y0, '─')
			set(x, y1, '─')
		}
		for y := y0; y <= y1; y++ {
			set(x0, y, '│')
			set(x1, y, '│')
		}
		set(x0, y0, '┌')
		set(x1, y0, '┐')
		set(x0, y1, '└')
		set(x1, y1, '┘')
		for i, c := range name[:min(len(name), x1-x0-1)] {
			set(x0+1+i, y0+1, c)
		}
	}
	for _, s := range l.slots {
		box(s.rect, names[s.panel])
	}
	if l.strip.h > 0 {
		box(l.strip, "")
	}
	var out []string
	for _, row := range grid {
		out = append(out, strings.TrimRight(string(row), " "))
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

func TestLayout(t *testing.T) {
	both := show{focus: panelNote, side: panelObjects}
	for _, c := range []struct {
		name string
		w, h int
		s    show
		want string
	}{
		{"too small", 59, 24, both, "too small"},
		{"too low", 80, 17, both, "too small"},
		{"80×24", 80, 24, both, `
┌──────────────┐
│note          │
│              │
│              │
│              │
│              │
┌──────────────┐
└──────────────┘`},
		{"120×40", 120, 40, both, `
┌────┐┌────────────────┐
│step││note            │
│    ││                │
│    ││                │
│    ││                │
│    │┌───────┐┌───────┐
│    ││call   ││objects│
│    ││       ││       │
│    ││       ││       │
│    ││       ││       │
│    ││       ││       │
│    ││       ││       │
└────┘└───────┘└───────┘`},
		{"120×40, presenter", 120, 40, show{focus: panelNote, side: panelQP, presenter: true}, `
┌──────────────────────┐
│note                  │
│                      │
│                      │
│                      │
┌─────────┐┌───────────┐
│call     ││qp         │
│         ││           │
│         ││           │
│         ││           │
│         ││           │
│         ││           │
└─────────┘└───────────┘`},
		{"120×40, zoomed", 120, 40, show{focus: panelWire, side: panelWire, zoom: true}, `
┌────┐┌────────────────┐
│step││wire            │
│    ││                │
│    ││                │
│    ││                │
│    ││                │
│    ││                │
│    ││                │
│    ││                │
│    ││                │
│    ││                │
│    ││                │
└────┘└────────────────┘`},
		{"80×24, zoomed and presented", 80, 24, show{focus: panelMemory, side: panelMemory, zoom: true, presenter: true}, `
┌──────────────┐
│memory        │
│              │
│              │
│              │
│              │
┌──────────────┐
└──────────────┘`},
		{"120×40, the list zoomed", 120, 40, show{focus: panelSteps, side: panelMemory, zoom: true}, `
┌────┐┌────────────────┐
│step││note            │
│    ││                │
│    ││                │
│    ││                │
│    │┌───────┐┌───────┐
│    ││call   ││memory │
│    ││       ││       │
│    ││       ││       │
│    ││       ││       │
│    ││       ││       │
│    ││       ││       │
└────┘└───────┘└───────┘`},
		{"200×60", 200, 60, both, `
┌─────┐┌───────────────┐┌──────────────┐
│steps││note           ││objects       │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     │└───────────────┘│              │
│     │┌───────────────┐│              │
│     ││call           ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
└─────┘└───────────────┘└──────────────┘`},
		{"200×60, another", 200, 60, show{focus: panelMemory, side: panelMemory}, `
┌─────┐┌───────────────┐┌──────────────┐
│steps││note           ││objects       │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               │┌──────────────┐
│     ││               ││memory        │
│     │└───────────────┘│              │
│     │┌───────────────┐│              │
│     ││call           ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
│     ││               ││              │
└─────┘└───────────────┘└──────────────┘`},
		{"200×60, presenter", 200, 60, show{focus: panelNote, side: panelMemory, presenter: true}, `
┌──────────────────────────────────────┐
│note                                  │
│                                      │
│                                      │
│                                      │
│                                      │
│                                      │
└──────────────────────────────────────┘
┌─────────────────┐┌───────────────────┐
│call             ││memory             │
│                 ││                   │
│                 ││                   │
│                 ││                   │
│                 ││                   │
│                 ││                   │
│                 ││                   │
│                 ││                   │
│                 ││                   │
│                 ││                   │
└─────────────────┘└───────────────────┘`},
		{"200×44, not high enough", 200, 44, show{focus: panelNote, side: panelMemory}, `
┌────┐┌────────────────────────────────┐
│step││note                            │
│    ││                                │
│    ││                                │
│    ││                                │
│    │└────────────────────────────────┘
│    │┌──────────────┐┌────────────────┐
│    ││call          ││memory          │
│    ││              ││                │
│    ││              ││                │
│    ││              ││                │
│    ││              ││                │
│    ││              ││                │
│    ││              ││                │
└────┘└──────────────┘└────────────────┘`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := sketch(arrange(c.w, c.h, c.s))
			if got != strings.TrimSpace(c.want) {
				t.Errorf("got\n%s\nwant\n%s", got, strings.TrimSpace(c.want))
			}
		})
	}
}

// TestLayoutFits checks for every size that panels are inside the screen, do
// not overlap and leave nothing but gutters.
func TestLayoutFits(t *testing.T) {
	for w := leastW; w <= 260; w += 3 {
		for h := leastH; h <= 80; h++ {
			for _, s := range []show{
				{focus: panelNote, side: panelObjects},
				{focus: panelWire, side: panelWire},
				{focus: panelWire, side: panelWire, zoom: true},
				{focus: panelCall, side: panelQP, presenter: true},
			} {
				fits(t, arrange(w, h, s))
			}
		}
	}
}

func fits(t *testing.T, l layout) {
	t.Helper()
	rects := []rect{l.head, l.tabs, l.foot, l.strip}
	for _, s := range l.slots {
		if s.w < 20 || s.h < 5 {
			t.Fatalf("%d×%d: panel %d has %d×%d cells", l.w, l.h, s.panel, s.w, s.h)
		}
		rects = append(rects, s.rect)
	}
	for i, a := range rects {
		if a.x < 0 || a.y < 0 || a.x+a.w > l.w || a.y+a.h > l.h {
			t.Fatalf("%d×%d: %+v is outside", l.w, l.h, a)
		}
		for _, b := range rects[:i] {
			if a.h > 0 && b.h > 0 && a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
				t.Fatalf("%d×%d: %+v and %+v overlap", l.w, l.h, a, b)
			}
		}
	}
}
