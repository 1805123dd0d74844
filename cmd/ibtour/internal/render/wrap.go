package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// What a line of Chinese does not begin with, and does not end with.
const (
	noStart = "，。、；：？！）》」』】〉”’…—·,.;:?!)]}%"
	noEnd   = "（《「『【〈“‘([{"
)

// cell is a character with the style it is written in.
type cell struct {
	text  string
	width int
	style string
}

// Wrap breaks a line, which may hold escape sequences, into lines of at most
// width cells. The lines after the first begin below the text of the first:
// behind the mark of a list, or with the bar of a quotation.
func Wrap(line string, width int) []string {
	cells := cellsOf(line)
	first, rest := leads(cells)
	if first > width/2 {
		first, rest = 0, nil
	}
	var out []string
	lead := cells[:first]
	for cells = cells[first:]; ; lead = rest {
		n := fitting(cells, width-widthOf(lead))
		out = append(out, join(lead, cells[:n]))
		for cells = cells[n:]; len(cells) > 0 && cells[0].text == " "; {
			cells = cells[1:]
		}
		if len(cells) == 0 {
			return out
		}
	}
}

// cellsOf takes a line apart. A style is all sequences since the last reset.
func cellsOf(line string) []cell {
	var out []cell
	style, state := "", byte(0)
	for line != "" {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		state, line = next, line[n:]
		switch {
		case seq == "\x1b[0m" || seq == "\x1b[m":
			style = ""
		case strings.HasPrefix(seq, "\x1b"):
			style += seq
		case width > 0:
			out = append(out, cell{seq, width, style})
		}
	}
	for len(out) > 0 && out[len(out)-1].text == " " {
		out = out[:len(out)-1]
	}
	return out
}

// leads returns how many cells of a line stand before its text, and what the
// following lines have in their place: blanks for the mark of a list item, and
// the bar of a quotation once more.
func leads(cells []cell) (first int, rest []cell) {
	i := 0
	for i < len(cells) && (cells[i].text == " " || cells[i].text == "│") {
		i++
	}
	j := i
	for j < len(cells) && strings.Contains("0123456789", cells[j].text) {
		j++
	}
	numbered := j > i && j-i <= 2 && j < len(cells) && cells[j].text == "."
	marked := j == i && j < len(cells) && (cells[j].text == "•" || cells[j].text == "-")
	if (numbered || marked) && j+1 < len(cells) && cells[j+1].text == " " {
		j += 2
	} else {
		j = i
	}
	rest = append(rest, cells[:i]...)
	for range j - i {
		rest = append(rest, cell{" ", 1, ""})
	}
	return j, rest
}

// fitting returns how many of the cells make a line of that width: as many as
// fit, up to the last place where a line may be broken.
func fitting(cells []cell, width int) int {
	n, used := 0, 0
	for n < len(cells) && used+cells[n].width <= width {
		used += cells[n].width
		n++
	}
	if n == len(cells) {
		return n
	}
	for i := n; i > 0; i-- {
		if mayBreak(cells[i-1], cells[i]) {
			return i
		}
	}
	return max(n, 1)
}

// mayBreak tells whether a line may end between two cells: at a blank, and
// beside a wide character, less what Chinese forbids.
func mayBreak(a, b cell) bool {
	switch {
	case b.text == " ":
		return true
	case strings.Contains(noStart, b.text) || strings.Contains(noEnd, a.text):
		return false
	case a.text == " ":
		return true
	}
	return a.width > 1 || b.width > 1 || a.text == "/"
}

func widthOf(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.width
	}
	return n
}

// join writes cells in their styles, without blanks at the end.
func join(lead, cells []cell) string {
	cells = append(append([]cell{}, lead...), cells...)
	for len(cells) > 0 && cells[len(cells)-1].text == " " {
		cells = cells[:len(cells)-1]
	}
	var b strings.Builder
	style := ""
	for _, c := range cells {
		if c.style != style && style != "" {
			b.WriteString("\x1b[0m")
		}
		if c.style != style {
			b.WriteString(c.style)
			style = c.style
		}
		b.WriteString(c.text)
	}
	if style != "" {
		b.WriteString("\x1b[0m")
	}
	return b.String()
}
