package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"ibtour/annotations/linebreak"
)

// width is the number of cells a styled text takes.
func width(s string) int { return ansi.StringWidth(s) }

// wrap breaks a styled line into lines of at most w cells. Lines after the first
// are indented by hang.
func wrap(line string, w, hang int) []string { return linebreak.Hanging(line, w, hang) }

// hangOf returns how far the lines after the first are to be indented: below
// the text of a list item.
func hangOf(line string) int { return linebreak.Indent(line) }

// fit cuts or fills a line to exactly w cells.
func fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := width(s)
	if n > w {
		s = ansi.Truncate(s, w, "…")
		n = width(s)
	}
	return s + strings.Repeat(" ", w-n)
}

// block cuts or fills lines to exactly h lines of w cells.
func block(lines []string, w, h int) []string {
	out := make([]string, max(h, 0))
	for i := range out {
		if i < len(lines) {
			out[i] = fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", max(w, 0))
		}
	}
	return out
}

// spread puts one text at the left and one at the right of w cells; the left
// one gives way.
func spread(left, right string, w int) string {
	r := width(right)
	if r >= w {
		return fit(right, w)
	}
	return fit(left, max(w-r-2, 0)) + fit("", min(2, w-r)) + right
}

// columns puts blocks of equal height side by side, gap cells apart.
func columns(gap int, blocks ...[]string) []string {
	h := 0
	for _, b := range blocks {
		h = max(h, len(b))
	}
	out := make([]string, h)
	space := strings.Repeat(" ", gap)
	for y := range out {
		var row strings.Builder
		for i, b := range blocks {
			if i > 0 {
				row.WriteString(space)
			}
			if y < len(b) {
				row.WriteString(b[y])
			}
		}
		out[y] = row.String()
	}
	return out
}

// oneLine makes a text from elsewhere, such as an error, safe to be written in
// a line: control characters become blanks.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}

// gauge draws a bar of w cells that is filled by part of whole; the smallest
// part that is not nothing shows.
func gauge(part, whole uint64, w int) (filled, rest string) {
	n := 0
	if whole > 0 {
		n = int(part * uint64(w) / whole)
		if n == 0 && part > 0 {
			n = 1
		}
	}
	n = min(n, w)
	return strings.Repeat("━", n), strings.Repeat("─", w-n)
}
