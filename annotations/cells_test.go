package annotations

import (
	"strings"
)

// The pane of a step's core text, as the screen of 80 columns has it.
const (
	paneCells = 76
	paneLines = 12
)

// coreLines returns how many lines a core text takes in the pane. Backticks
// count as cells, since code is drawn with a margin; the marks of bold text
// and links do not.
func coreLines(core string) int {
	core = RewriteLinks(core, func(l Link) string { return l.Text })
	core = strings.ReplaceAll(core, "**", "")
	return len(wrap(core, paneCells))
}

// wrap breaks paragraphs into lines of at most width cells: at blanks, and
// beside Chinese characters, but not in front of closing punctuation or behind
// opening punctuation.
func wrap(text string, width int) []string {
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, piece := range pieces(para) {
			if cells(line)+cells(strings.TrimRight(piece, " ")) > width && line != "" {
				lines = append(lines, strings.TrimRight(line, " "))
				line = ""
			}
			line += piece
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

const (
	noLineStart = "，。、；：？！）》”’…—"
	noLineEnd   = "（《“‘"
)

// pieces cuts a paragraph where a line may be broken.
func pieces(para string) []string {
	var out []string
	runes := []rune(para)
	begin := 0
	for i := 1; i < len(runes); i++ {
		before, after := runes[i-1], runes[i]
		breakable := before == ' ' && after != ' ' || wide(before) || wide(after)
		if !breakable || strings.ContainsRune(noLineStart, after) || strings.ContainsRune(noLineEnd, before) {
			continue
		}
		out = append(out, string(runes[begin:i]))
		begin = i
	}
	return append(out, string(runes[begin:]))
}

// cells returns the width of a text in a terminal.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n++
		if wide(r) {
			n++
		}
	}
	return n
}

// wide reports whether a character takes two cells (Unicode annex 11).
func wide(r rune) bool {
	for _, w := range [][2]rune{
		{0x1100, 0x115f},
		{0x2e80, 0x303e},
		{0x3041, 0xa4cf},
		{0xac00, 0xd7a3},
		{0xf900, 0xfaff},
		{0xfe30, 0xfe6f},
		{0xff00, 0xff60},
		{0xffe0, 0xffe6},
		{0x20000, 0x3fffd},
	} {
		if r >= w[0] && r <= w[1] {
			return true
		}
	}
	return false
}
