package tui

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Theme names a set of colours.
type Theme string

// The themes.
const (
	Auto  Theme = ""      // what the terminal's background asks for
	Dark  Theme = "dark"  // light on dark
	Light Theme = "light" // dark on light
	Plain Theme = "plain" // no colour, only weight
)

// themes are what the theme key goes through.
var themes = []Theme{Dark, Light, Plain}

// palette holds one accent for what is now, one for what changed and one for
// errors; the rest is calm.
type palette struct{ now, changed, fault, soft, faint, code lipgloss.TerminalColor }

func tone(full, c256, c16 string) lipgloss.TerminalColor {
	return lipgloss.CompleteColor{TrueColor: full, ANSI256: c256, ANSI: c16}
}

var palettes = map[Theme]palette{
	Dark: {
		now: tone("#6cb6ff", "75", "12"), changed: tone("#e3b341", "179", "11"), fault: tone("#ff7b72", "203", "9"),
		soft: tone("#8b949e", "246", "7"), faint: tone("#3d444d", "238", "8"), code: tone("#a5c8d8", "152", "14"),
	},
	Light: {
		now: tone("#0550ae", "25", "4"), changed: tone("#9a6700", "130", "3"), fault: tone("#cf222e", "160", "1"),
		soft: tone("#57606a", "242", "8"), faint: tone("#c4cad1", "251", "7"), code: tone("#1b6173", "24", "6"),
	},
	Plain: {
		now: lipgloss.NoColor{}, changed: lipgloss.NoColor{}, fault: lipgloss.NoColor{},
		soft: lipgloss.NoColor{}, faint: lipgloss.NoColor{}, code: lipgloss.NoColor{},
	},
}

// ink writes text in one role. It is made once: a style renders slowly.
type ink struct{ on, off string }

func newInk(s lipgloss.Style) ink {
	on, off, _ := strings.Cut(s.Render("x"), "x")
	return ink{on, off}
}

func (i ink) of(s string) string {
	if s == "" {
		return ""
	}
	return i.on + s + i.off
}

// styles are the roles that panes write in.
type styles struct {
	theme   Theme
	palette palette

	text    ink // what is to be read
	soft    ink // labels, what has been
	faint   ink // rules and frames
	strong  ink // titles, values that matter
	now     ink // where we are
	nowBar  ink // the same, as a bar
	changed ink // what just changed
	fault   ink // what went wrong
	code    ink // identifiers
}

func newStyles(r *lipgloss.Renderer, t Theme) *styles {
	p := palettes[t]
	fg := func(c lipgloss.TerminalColor) lipgloss.Style { return r.NewStyle().Foreground(c) }
	return &styles{
		theme: t, palette: p,
		text: ink{}, soft: newInk(fg(p.soft)), faint: newInk(fg(p.faint)),
		strong: newInk(r.NewStyle().Bold(true)), now: newInk(fg(p.now).Bold(true)),
		nowBar:  newInk(fg(p.now).Bold(true).Reverse(true)),
		changed: newInk(fg(p.changed)), fault: newInk(fg(p.fault).Bold(true)), code: newInk(fg(p.code)),
	}
}
