package tui

import (
	"slices"
	"strings"
)

// sheet is a text that may be too long to be written whole: its lines are made
// as they come into view.
type sheet struct {
	n     int
	line  func(i int) string
	marks []int // lines where something changed, rising
}

// written is a sheet of lines that are there already.
func written(lines []string) sheet {
	return sheet{n: len(lines), line: func(i int) string { return lines[i] }}
}

// cut returns at most h lines from one on.
func (s sheet) cut(from, h int) []string {
	var out []string
	for i := from; i < min(from+h, s.n); i++ {
		out = append(out, s.line(i))
	}
	return out
}

// below puts another sheet under this one.
func (s sheet) below(o sheet) sheet {
	marks := slices.Clone(s.marks)
	for _, at := range o.marks {
		marks = append(marks, s.n+at)
	}
	return sheet{n: s.n + o.n, marks: marks, line: func(i int) string {
		if i < s.n {
			return s.line(i)
		}
		return o.line(i - s.n)
	}}
}

// beside puts another sheet to the right of this one, in columns of w cells.
func (s sheet) beside(o sheet, w int) sheet {
	marks := slices.Concat(s.marks, o.marks)
	slices.Sort(marks)
	cell := func(s sheet, i int) string {
		if i < s.n {
			return fit(s.line(i), w)
		}
		return fit("", w)
	}
	return sheet{n: max(s.n, o.n), marks: slices.Compact(marks), line: func(i int) string {
		return cell(s, i) + strings.Repeat(" ", gutter) + cell(o, i)
	}}
}

// next returns the first marked line after one; after the last one, the first
// of all. -1: none is marked.
func (s sheet) next(after int) int {
	if len(s.marks) == 0 {
		return -1
	}
	i, found := slices.BinarySearch(s.marks, after)
	if found {
		i++
	}
	return s.marks[i%len(s.marks)]
}
