package annotations

import (
	"strings"

	"ibtour/annotations/linebreak"
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
	n := 0
	for para := range strings.SplitSeq(core, "\n") {
		n += len(linebreak.Lines(para, paneCells))
	}
	return n
}
