package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"ibtour/annotations"
	"ibtour/steps"
)

// screen is what the whole terminal shows.
type screen int

// The screens.
const (
	screenStart   screen = iota // devices and options
	screenTour                  // the run, or a look back at it
	screenLeaving               // the tear-down of a run that is left
)

// overlay is what covers the body of the tour.
type overlay int

// The overlays.
const (
	overlayNone overlay = iota
	overlayHelp
	overlaySearch
	overlayPage // a page found by searching
	overlayDone // the run is complete
)

// model is the one tea.Model: what is recorded, where we look, how it looks.
type model struct {
	ctx      context.Context //nolint:containedctx // of the program: runs are started from Update
	cfg      Config
	send     func(tea.Msg)
	guard    func() // deferred by our goroutines: a panic ends the program in order
	pid      int
	program  string // the file of this program
	renderer *lipgloss.Renderer

	// How it looks.
	w, h      int
	text      *text
	keys      *keyMap
	styles    *styles
	asks      bool // the theme is to follow the terminal's answer
	md        *markdown
	books     map[string]*annotations.Book
	presenter bool
	screen    screen
	overlay   overlay
	focus     panel // has the keys
	side      panel // of the state, chosen last
	scroll    [panelCount]int
	source    bool // the call panel shows the source
	zoom      bool // the focused panel has the whole body
	flash     string
	pressed   string // the last key, for the presenter

	// What runs.
	opts    steps.Options
	roles   []steps.Role
	device  Device
	run     *session
	hist    *history
	skipped int
	leaving bool // at once, when the tear-down is over

	// Where we look.
	cursor int    // of hist.moments, -1 before the first
	seen   int    // the furthest it has been
	follow bool   // the cursor goes with the run
	goal   moment // how far the run is to go
	held   bool   // the run waits to be let on
	heldAt place  // where it waited last
	pick   int    // chosen in the step list, -1 for the current one
	breaks map[int]bool
	packet int  // chosen in the wire panel, counted from 1; 0 for the last
	opened bool // and shown field by field
	dumps  map[dumpKey]*dump
	// changeAt is the line of the memory that was jumped to last, -1 for none.
	changeAt int

	start  startScreen
	search searchBox
	page   annotations.Page // shown by overlayPage
	over   int              // scroll of the overlay
}

// Init looks for the devices.
func (m *model) Init() tea.Cmd { return m.devicesCmd() }

// book returns the texts in the current language.
func (m *model) book() *annotations.Book { return m.books[m.text.lang] }

func (m *model) setTheme(t Theme) {
	m.styles = newStyles(m.renderer, t)
	m.md = newMarkdown(m.renderer, m.styles)
}

// begin starts a run with the current options.
func (m *model) begin() tea.Cmd {
	r := &steps.Runner{Tour: m.cfg.Tour, Opts: new(steps.Options), Roles: m.roles, Live: true}
	*r.Opts = m.opts
	s := newSession(m.ctx, r, func(msg tea.Msg) { m.send(msg) })
	s.guard = m.guard
	d, err := m.device.Open(s.packet)
	if err != nil {
		m.flash = err.Error()
		m.screen = screenStart
		return nil
	}
	r.Driver, r.Opts.Device, r.Opts.Lang = d, m.device.Name, m.text.lang
	r.Capture = m.device.capture(s)
	m.run, m.hist = s, newHistory(r.Stops())
	m.screen, m.overlay, m.leaving = screenTour, overlayNone, false
	m.cursor, m.seen, m.pick, m.packet, m.opened, m.skipped, m.changeAt = -1, -1, -1, 0, false, 0, -1
	m.scroll = [panelCount]int{}
	if m.breaks == nil {
		m.breaks = map[int]bool{}
	}
	m.follow, m.goal, m.held, m.heldAt = true, moment{}, false, place{}
	if i := m.stopNamed(m.cfg.At); i > 0 {
		m.goal = moment{stop: i}
	}
	m.cfg.At = "" // a second run begins at the beginning
	s.allow(m.permit(m.goal))
	s.start()
	return nil
}

// capture is how the packets of the device are to be captured, nil for one that
// tells of them itself. A file gets them all; the screen keeps few of those at
// full speed, and the others are left alone.
func (d *Device) capture(s *session) *steps.Capture {
	switch {
	case d.Soft:
		return nil
	case d.Record != nil:
		return &steps.Capture{Packets: s.packet, File: d.Record}
	}
	return &steps.Capture{Packets: s.packet, AtFullSpeed: keptPackets}
}

// stopNamed returns the place of "qp_rtr" or "client/qp_rtr", -1 for none.
func (m *model) stopNamed(name string) int {
	if name == "" {
		return -1
	}
	for _, s := range m.run.runner.Stops() {
		if s.Name() == name || s.Step.ID == name {
			return s.Index
		}
	}
	m.flash = name + " ?"
	return -1
}
