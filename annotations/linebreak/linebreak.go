package linebreak

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cell is a character with the style it is written in.
type cell struct {
	text  string
	width int
	style string
}

// Lines breaks a line, which may hold escape sequences, into lines of at most
// width cells. The lines after the first begin below the text of the first:
// behind the mark of a list, or with the bar of a quotation.
func Lines(line string, width int) []string {
	cells := cellsOf(line)
	first, rest := leads(cells)
	if first > width/2 {
		first, rest = 0, nil
	}
	return fill(cells[:first], rest, cells[first:], width)
}

// Hanging is Lines with the lines after the first indented by hang cells, at
// most by half the width.
func Hanging(line string, width, hang int) []string {
	return fill(nil, blanks(min(hang, width/2)), cellsOf(line), width)
}

// Indent returns how many cells of a line stand before its text: blanks, bars
// and the mark of a list item.
func Indent(line string) int {
	cells := cellsOf(line)
	first, _ := leads(cells)
	return widthOf(cells[:first])
}

// fill writes lines that begin with lead, and with rest after the first.
func fill(lead, rest, cells []cell, width int) []string {
	var out []string
	for {
		n := fitting(cells, width-widthOf(lead))
		out = append(out, join(lead, cells[:n]))
		if cells = cells[n:]; len(cells) == 0 {
			return out
		}
		lead = rest
	}
}

// fitting returns how many of the cells make a line of that width: as many as
// fit, up to the last place where a line may be broken, and at least one. Blanks
// at the end of a line take no room.
func fitting(cells []cell, width int) int {
	n, used := 0, 0
	for n < len(cells) && used+cells[n].width <= width {
		used += cells[n].width
		n++
	}
	for n < len(cells) && cells[n].text == " " {
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

// cellsOf takes a line apart, without blanks at its end. A style is all
// sequences since the last reset.
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
	return trim(out)
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
	return j, append(append(rest, cells[:i]...), blanks(j-i)...)
}

func blanks(n int) []cell {
	out := make([]cell, max(n, 0))
	for i := range out {
		out[i] = cell{" ", 1, ""}
	}
	return out
}

func widthOf(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.width
	}
	return n
}

func trim(cells []cell) []cell {
	for len(cells) > 0 && cells[len(cells)-1].text == " " {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// join writes cells in their styles, without blanks at the end.
func join(lead, cells []cell) string {
	cells = trim(append(append([]cell{}, lead...), cells...))
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
