package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Glamour breaks lines at spaces only, so that Chinese runs over the edge, and
// does not indent the rest of a list item. Its lines are therefore left whole
// and broken here: by cells, with the rules of Chinese typesetting.

// A line does not begin with any of noStart, nor end with any of noEnd.
const (
	noStart = "，。、；：？！）》」』】〉”’…—·,.;:?!)]}%"
	noEnd   = "（《「『【〈“‘([{"
)

// glyph is one character with the style it is written in.
type glyph struct {
	s     string
	w     int
	style string
}

// glyphs takes a styled line apart.
func glyphs(line string) []glyph {
	var out []glyph
	style, state := "", byte(0)
	for line != "" {
		seq, w, n, next := ansi.DecodeSequence(line, state, nil)
		state, line = next, line[n:]
		switch {
		case seq == "\x1b[0m" || seq == "\x1b[m":
			style = ""
		case strings.HasPrefix(seq, "\x1b"):
			style += seq
		case w > 0:
			out = append(out, glyph{seq, w, style})
		}
	}
	return out
}

// mayBreak tells whether a line may end between two characters.
func mayBreak(a, b glyph) bool {
	switch {
	case a.s == " ":
		return b.s != " "
	case b.s == " ":
		return false
	case a.w < 2 && b.w < 2 && !strings.Contains("，。、；：？！）》”…—", a.s):
		return a.s == "/" && len(b.s) == 1 // long paths and option lists
	}
	return !strings.Contains(noStart, b.s) && !strings.Contains(noEnd, a.s)
}

// wrap breaks a styled line into lines of at most w cells. Lines after the
// first are indented by hang.
func wrap(line string, w, hang int) []string {
	g := glyphs(line)
	var out []string
	indent := 0
	for {
		n, used := 0, 0
		for n < len(g) && used+g[n].w <= w-indent {
			used += g[n].w
			n++
		}
		for n < len(g) && g[n].s == " " {
			n++ // blanks at the end of a line take no room
		}
		if n < len(g) {
			n = breakAt(g, n)
		}
		out = append(out, strings.Repeat(" ", indent)+join(g[:n]))
		if g = g[n:]; len(g) == 0 {
			return out
		}
		indent = min(hang, w/2)
	}
}

// breakAt returns where to break so that at most n characters stay, at least
// one.
func breakAt(g []glyph, n int) int {
	for i := n; i > 0; i-- {
		if mayBreak(g[i-1], g[i]) {
			return i
		}
	}
	return max(n, 1)
}

// join writes characters in their styles, without blanks at the end.
func join(g []glyph) string {
	for len(g) > 0 && g[len(g)-1].s == " " {
		g = g[:len(g)-1]
	}
	var b strings.Builder
	style := ""
	for _, c := range g {
		if c.style != style {
			if style != "" {
				b.WriteString("\x1b[0m")
			}
			b.WriteString(c.style)
			style = c.style
		}
		b.WriteString(c.s)
	}
	if style != "" {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}

// hangOf returns how far the lines after the first are to be indented: below
// the text of a list item.
func hangOf(line string) int {
	plain := ansi.Strip(line)
	text := strings.TrimLeft(plain, " ")
	lead := width(plain) - width(text)
	if rest, ok := strings.CutPrefix(text, "• "); ok {
		return lead + width(text) - width(rest)
	}
	if i := strings.Index(text, ". "); i > 0 && i < 3 && strings.Trim(text[:i], "0123456789") == "" {
		return lead + i + 2
	}
	return lead
}
