package tui

import (
	"fmt"
	"strings"
)

// Fits tells whether a terminal of this kind (the value of TERM) can show the
// tour, and if not, why. The caller then walks in plain text.
func Fits(term string) (why string, ok bool) {
	if term == "" || term == "dumb" || strings.HasPrefix(term, "dumb-") {
		return fmt.Sprintf("a terminal of type %q cannot place text on the screen: this is the walk in plain text", term), false
	}
	return "", true
}
