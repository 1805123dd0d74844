package tui

// panel is one of the ten views. The number is its key; 0 is the step list.
type panel int

// The panels, by their keys.
const (
	panelSteps panel = iota
	panelNote
	panelCall
	panelObjects
	panelQP
	panelQueues
	panelMemory
	panelWire
	panelLayers
	panelKernel
	panelCount
)

// rect is a place on the screen, in cells.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// slot is a panel at its place.
type slot struct {
	panel panel
	rect
}

// layout says who is where.
type layout struct {
	small bool // too small to show anything
	w, h  int
	head  rect
	tabs  rect
	slots []slot // in the order of reading
	strip rect   // the call in short, where it has no panel of its own
	foot  rect
}

// The least size, and the sizes from which more is shown at a time.
const (
	leastW, leastH = 60, 18
	splitW, splitH = 110, 32
	wideW, wideH   = 180, 45
)

// The parts of the screen.
const (
	gutter   = 3 // between columns: blank, line, blank
	stepsW   = 30
	stripH   = 4
	noteH    = 15 // title, and a core text of 12 lines
	chrome   = 3  // head, tabs, foot
	headRows = 2
)

// show is what is to be arranged.
type show struct {
	focus     panel // has the keys
	side      panel // of the state, chosen last
	presenter bool  // few panels
	zoom      bool  // the focused panel alone
}

// arrange places the panels.
//
//	tabs                split                    wide
//	┌─────────────┐     ┌─────┬─────────────┐    ┌─────┬──────┬──────┐
//	│    focus    │     │steps│    note     │    │steps│ note │ objs │
//	├─────────────┤     │     ├──────┬──────┤    │     ├──────┼──────┤
//	│ call, short │     │     │ call │ side │    │     │ call │ side │
//	└─────────────┘     └─────┴──────┴──────┘    └─────┴──────┴──────┘
func arrange(w, h int, s show) layout {
	l := layout{w: w, h: h, small: w < leastW || h < leastH}
	if l.small {
		return l
	}
	l.head, l.tabs, l.foot = rect{0, 0, w, 1}, rect{0, 1, w, 1}, rect{0, h - 1, w, 1}
	body := rect{0, headRows, w, h - chrome}
	switch {
	case w < splitW || h < splitH:
		l.tabbed(body, s.focus)
	case s.zoom && s.focus != panelSteps:
		l.slots = []slot{{panelSteps, rect{0, body.y, stepsW, body.h}}, {s.focus, beside(body, stepsW)}}
	case s.presenter:
		l.split(rect{gutter, body.y, w - 2*gutter, body.h}, s.side)
	case w < wideW || h < wideH:
		l.slots = append(l.slots, slot{panelSteps, rect{0, body.y, stepsW, body.h}})
		l.split(beside(body, stepsW), s.side)
	default:
		l.wide(body, s.side)
	}
	return l
}

// beside is what is left of a row once w cells and a gutter are taken.
func beside(r rect, w int) rect { return rect{r.x + w + gutter, r.y, r.w - w - gutter, r.h} }

func (l *layout) tabbed(body rect, focus panel) {
	l.strip = rect{0, body.y + body.h - stripH, body.w, stripH}
	l.slots = []slot{{focus, rect{0, body.y, body.w, body.h - stripH}}}
}

func (l *layout) split(r rect, side panel) {
	top := noteH
	if r.h > 40 {
		top = r.h * 2 / 5
	}
	below := rect{r.x, r.y + top, r.w, r.h - top}
	callW := (r.w - gutter) * 47 / 100
	l.slots = append(l.slots,
		slot{panelNote, rect{r.x, r.y, r.w, top}},
		slot{panelCall, rect{below.x, below.y, callW, below.h}},
		slot{side, beside(below, callW)})
}

func (l *layout) wide(body rect, side panel) {
	const objectsH = 26
	stepW := stepsW + 4
	r := beside(body, stepW)
	noteW := (r.w - gutter) / 2
	right := beside(r, noteW)
	top := r.h * 3 / 5
	l.slots = []slot{
		{panelSteps, rect{0, body.y, stepW, body.h}},
		{panelNote, rect{r.x, r.y, noteW, top}},
		{panelCall, rect{r.x, r.y + top, noteW, r.h - top}},
	}
	if side == panelObjects {
		l.slots = append(l.slots, slot{panelObjects, right})
		return
	}
	l.slots = append(l.slots,
		slot{panelObjects, rect{right.x, right.y, right.w, objectsH}},
		slot{side, rect{right.x, right.y + objectsH, right.w, right.h - objectsH}})
}

// shows tells whether a panel is on the screen.
func (l *layout) shows(p panel) bool {
	for _, s := range l.slots {
		if s.panel == p {
			return true
		}
	}
	return false
}

// at returns the panel at a cell.
func (l *layout) at(x, y int) (slot, bool) {
	for _, s := range l.slots {
		if s.has(x, y) {
			return s, true
		}
	}
	return slot{}, false
}
