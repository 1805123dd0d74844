package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/glamour"
	"github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"ibtour/annotations"
)

// markdown renders pages and keeps what it rendered.
type markdown struct {
	styles  *styles
	profile termenv.Profile
	dark    bool
	cache   map[pageKey][]string
}

type pageKey struct {
	source string
	width  int
}

// mostTexts bounds the cache: a text with live values is a new one each time.
const mostTexts = 600

func newMarkdown(r *lipgloss.Renderer, s *styles) *markdown {
	return &markdown{
		styles: s, profile: r.ColorProfile(), dark: s.theme != Light, cache: map[pageKey][]string{},
	}
}

// Invisible characters that take a link through glamour.
const linkOpen, linkClose = "\u2063", "\u2064"

// render returns the lines of a text, none wider than w cells. The lines are
// shared: callers must not change them.
func (m *markdown) render(source string, w int) []string {
	key := pageKey{source, w}
	if lines, ok := m.cache[key]; ok {
		return lines
	}
	if len(m.cache) >= mostTexts {
		clear(m.cache)
	}
	lines := m.draw(source, w)
	m.cache[key] = lines
	return lines
}

// page renders a page without its title, which stands on the frame. Each
// section is kept by itself: the live values of one do not concern the others.
func (m *markdown) page(p annotations.Page, w int) []string {
	out := slices.Clone(m.render(p.Core, w))
	for _, s := range p.Sections {
		out = append(out, "")
		out = append(out, m.render("## "+s.Title+"\n\n"+s.Markdown, w)...)
	}
	return out
}

func (m *markdown) draw(source string, w int) []string {
	source = annotations.RewriteLinks(source, func(l annotations.Link) string { return linkOpen + l.Text + linkClose })
	text := source
	g, err := glamour.NewTermRenderer(
		glamour.WithStyles(m.config()), glamour.WithWordWrap(0), glamour.WithColorProfile(m.profile))
	if err == nil {
		if s, err := g.Render(source); err == nil {
			text = s
		}
	}
	on, off := "\x1b[4m", "\x1b[24m"
	if m.profile == termenv.Ascii || m.styles.theme == Plain {
		on, off = "", ""
	}
	text = strings.NewReplacer(linkOpen, on, linkClose, off).Replace(text)
	var out []string
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		line = strings.TrimRight(line, " ")
		out = append(out, wrap(line, w, hangOf(line))...)
	}
	return squeeze(out)
}

// squeeze makes several empty lines one.
func squeeze(lines []string) []string {
	out := lines[:0]
	empty := true
	for _, l := range lines {
		blank := strings.TrimSpace(l) == ""
		if !blank || !empty {
			out = append(out, l)
		}
		empty = blank
	}
	for len(out) > 0 && strings.TrimSpace(out[len(out)-1]) == "" {
		out = out[:len(out)-1]
	}
	return out
}

// config is the look of a page: headings in bold, nothing loud.
func (m *markdown) config() ansi.StyleConfig {
	yes, zero := true, uint(0)
	head := ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Bold: &yes, BlockSuffix: "\n"}}
	return ansi.StyleConfig{
		Document: ansi.StyleBlock{Margin: &zero},
		H1:       head, H2: head, H3: head,
		Strong:      ansi.StylePrimitive{Bold: &yes},
		Emph:        ansi.StylePrimitive{Italic: &yes},
		List:        ansi.StyleList{StyleBlock: ansi.StyleBlock{}, LevelIndent: 2},
		Item:        ansi.StylePrimitive{BlockPrefix: "• "},
		Link:        ansi.StylePrimitive{},
		LinkText:    ansi.StylePrimitive{},
		Code:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: m.color(m.styles.palette.code)}},
		CodeBlock:   ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Color: m.color(m.styles.palette.code)}, Margin: &zero}},
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
	}
}

// color returns a colour as glamour wants it, for the profile of the terminal.
func (m *markdown) color(c lipgloss.TerminalColor) *string {
	full, ok := c.(lipgloss.CompleteColor)
	if !ok {
		return nil
	}
	s := full.ANSI256
	if m.profile == termenv.ANSI {
		s = full.ANSI
	}
	if m.profile == termenv.TrueColor {
		s = full.TrueColor
	}
	return &s
}
