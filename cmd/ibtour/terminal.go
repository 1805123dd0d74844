package main

import (
	"os"

	"golang.org/x/term"
)

// isTerminal reports whether v is a file that is a terminal.
func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
