package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ibtour/steps"
)

// devicesMsg brings the devices that were found.
type devicesMsg struct {
	devices []Device
	err     error
}

// devicesCmd looks for devices.
func (m *model) devicesCmd() tea.Cmd {
	find := m.cfg.Devices
	return func() tea.Msg {
		if find == nil {
			return devicesMsg{}
		}
		d, err := find()
		return devicesMsg{d, err}
	}
}

// startField is a line of the start screen.
type startField int

// The lines, from top to bottom.
const (
	startDevice startField = iota
	startRole
	startHost
	startSize
	startIters
	startEvents
	startCheck
	startLang
	startFields
)

// startScreen asks for what the command line left open.
type startScreen struct {
	looked  bool
	devices []Device
	err     error
	chosen  int // of the devices
	at      startField
	role    int // of text.startRoles
	host    string
	size    string
	iters   string
	events  bool
	check   bool
}

func newStartScreen(m *model) startScreen {
	s := startScreen{
		host: m.opts.Host, size: strconv.Itoa(m.opts.Size), iters: strconv.Itoa(m.opts.Iters),
		events: m.opts.Events, check: m.opts.Check,
	}
	if len(m.roles) == 1 {
		s.role = 1
		if m.roles[0] == steps.Client {
			s.role = 2
		}
	}
	return s
}

// found takes the devices, and begins where nothing is left to ask.
func (m *model) found(msg devicesMsg) tea.Cmd {
	s := &m.start
	s.looked, s.devices, s.err = true, msg.devices, msg.err
	want := m.cfg.Device
	if m.device.Name != "" {
		want = m.device.Name
	}
	want, _, _ = strings.Cut(want, "?") // soft0 takes options behind its name
	s.chosen = s.pick(want)
	if want != "" && len(s.devices) > 0 && s.devices[s.chosen].Name != want {
		m.flash = fmt.Sprintf(m.text.startMissing, want)
		return nil
	}
	if m.cfg.SkipStart && len(s.devices) > 0 && m.run == nil {
		return m.depart()
	}
	return nil
}

// pick returns the device of that name, or the first usable one.
func (s *startScreen) pick(name string) int {
	first := -1
	for i, d := range s.devices {
		if d.Name == name {
			return i
		}
		if first < 0 && d.Unusable == "" {
			first = i
		}
	}
	return max(first, 0)
}

// depart begins the run with what was chosen.
func (m *model) depart() tea.Cmd {
	s := &m.start
	if len(s.devices) == 0 {
		m.flash = m.text.startNone
		return nil
	}
	o := m.opts
	o.Size, _ = strconv.Atoi(s.size)
	o.Iters, _ = strconv.Atoi(s.iters)
	o.Events, o.Check, o.Walk = s.events, s.check, true
	if o.Host = ""; s.role == 2 {
		o.Host = s.host
	}
	if err := o.Validate(); err != nil {
		m.flash = err.Error()
		return nil
	}
	m.opts, m.device = o, s.devices[s.chosen]
	m.flash = m.device.Note
	m.roles = [][]steps.Role{{steps.Server, steps.Client}, {steps.Server}, {steps.Client}}[s.role]
	return m.begin()
}

// pressStart obeys a key of the start screen.
func (m *model) pressStart(msg tea.KeyMsg) tea.Cmd {
	s, k := &m.start, m.keys
	switch {
	case msg.String() == "enter":
		return m.depart()
	case msg.String() == "up" || msg.String() == "shift+tab":
		s.step(-1)
	case msg.String() == "down" || msg.String() == "tab":
		s.step(1)
	case msg.String() == "left" || msg.String() == "right" || msg.String() == " " && !s.typing():
		m.change(msg.String() == "left")
	case msg.String() == "backspace":
		s.edit(func(t string) string { return t[:max(len(t)-1, 0)] })
	case s.typing() && len(msg.Runes) > 0 && s.takes(msg.Runes):
		s.edit(func(t string) string { return t + string(msg.Runes) })
	case key.Matches(msg, k.Quit):
		return tea.Quit
	case key.Matches(msg, k.Lang):
		m.setLang(m.text.other())
	case key.Matches(msg, k.Theme):
		m.pressLook(msg)
	default:
		m.flash = fmt.Sprintf(m.text.wrongKey, m.pressed)
	}
	return nil
}

// step goes to another line; the host is asked of a client only.
func (s *startScreen) step(by startField) {
	s.at = (s.at + by + startFields) % startFields
	if s.at == startHost && s.role != 2 {
		s.at = (s.at + by + startFields) % startFields
	}
}

func (s *startScreen) typing() bool {
	return s.at == startHost || s.at == startSize || s.at == startIters
}

// takes tells whether a line takes these characters.
func (s *startScreen) takes(r []rune) bool {
	least, most := '0', '9'
	if s.at == startHost {
		least, most = '!', '~'
	}
	return !slices.ContainsFunc(r, func(c rune) bool { return c < least || c > most })
}

func (s *startScreen) edit(do func(string) string) {
	switch s.at {
	case startHost:
		s.host = do(s.host)
	case startSize:
		s.size = do(s.size)
	case startIters:
		s.iters = do(s.iters)
	case startDevice, startRole, startEvents, startCheck, startLang, startFields:
	}
}

// change goes to the next or the previous value of a line.
func (m *model) change(back bool) {
	s, by := &m.start, 1
	if back {
		by = -1
	}
	switch s.at {
	case startDevice:
		if n := len(s.devices); n > 0 {
			s.chosen = (s.chosen + by + n) % n
		}
	case startRole:
		s.role = (s.role + by + len(m.text.startRoles)) % len(m.text.startRoles)
	case startSize:
		s.size = scaled(s.size, back)
	case startIters:
		s.iters = scaled(s.iters, back)
	case startEvents:
		s.events = !s.events
	case startCheck:
		s.check = !s.check
	case startLang:
		m.setLang(m.text.other())
	case startHost, startFields:
	}
}

// scaled halves or doubles a number.
func scaled(text string, back bool) string {
	n, _ := strconv.Atoi(text)
	if back {
		return strconv.Itoa(max(n/2, 1))
	}
	return strconv.Itoa(min(max(n*2, 1), 1<<30))
}
