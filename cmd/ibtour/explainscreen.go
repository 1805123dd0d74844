package main

import (
	"os"

	"github.com/muesli/termenv"
	"golang.org/x/term"

	"ibtour/cmd/ibtour/internal/render"
)

// Widths in columns.
const (
	leastWidth  = 30
	pageWidth   = 100 // longer lines are hard to read
	usualWidth  = 80  // where there is no terminal
	widestWidth = 1000
)

// margin is that of a page, at the left and at the right.
func (e *explain) margin() int {
	if e.profile == termenv.Ascii {
		return 0
	}
	return render.Margin
}

// profileOf returns the colours that whoever reads the output can show.
func profileOf(out any) termenv.Profile {
	if !isTerminal(out) || os.Getenv("TERM") == "dumb" {
		return termenv.Ascii
	}
	return termenv.NewOutput(out.(*os.File)).EnvColorProfile()
}

// columnsOf returns the width of a terminal, or the usual one.
func columnsOf(out any) int {
	if !isTerminal(out) {
		return usualWidth
	}
	w, _, err := term.GetSize(int(out.(*os.File).Fd()))
	if err != nil || w == 0 {
		return usualWidth
	}
	return min(max(w, leastWidth), widestWidth)
}
