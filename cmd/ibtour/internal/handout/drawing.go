package handout

import "strings"

// drawingLang marks a block of code as the drawing of a queue pair that moved:
// the two states follow. In HTML such a block becomes a picture.
const drawingLang = "qp"

// row are the states of a connection's life, from left to right.
var row = []string{"RESET", "INIT", "RTR", "RTS"}

// Drawing draws the states of a queue pair as text. The state it is in now is
// in brackets, and the move it made is a double line.
func Drawing(from, to string) string {
	box := func(name string) string {
		if name == to {
			return "[" + name + "]"
		}
		return " " + name + " "
	}
	var b strings.Builder
	for i, s := range row {
		if i > 0 {
			line := " ──▶ "
			if row[i-1] == from && s == to {
				line = " ══▶ "
			}
			b.WriteString(line)
		}
		b.WriteString(box(s))
	}
	b.WriteString(strings.TrimRight(" ◀─▶ "+box("SQD"), " "))
	// From RTS down to ERR, and from there back to RESET.
	const underReset, underRTS = 3, 35
	column := func(reset, rts string) string {
		return "\n" + strings.Repeat(" ", underReset) + reset + strings.Repeat(" ", underRTS-underReset-1) + rts
	}
	b.WriteString(column("▲", "│") + column("│", "▼"))
	b.WriteString("\n" + strings.Repeat(" ", underReset) + "└" + strings.Repeat("─", underRTS-underReset-3))
	b.WriteString(strings.TrimRight(box("ERR"), " "))
	return b.String()
}
