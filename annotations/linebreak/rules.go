package linebreak

import "strings"

// What a line of Chinese does not begin with, and does not end with. The marks
// of English are among it only within a word: one may begin with them, such as
// .qp_state and ::1. The closing marks of Chinese and dashes may be broken
// behind, whatever follows.
const (
	noStart = "，。、；：？！）》」』】〉”’…—·"
	inWord  = ",.;:?!)]}%"
	noEnd   = "（《「『【〈“‘([{"
	behind  = "，。、；：？！）》”…—"
)

// mayBreak tells whether a line may end between two characters: behind blanks,
// beside a wide character less what Chinese forbids, and behind a slash, for
// the sake of long paths and lists of options.
func mayBreak(a, b cell) bool {
	switch {
	case b.text == " ":
		return false
	case strings.Contains(noStart, b.text) || strings.Contains(noEnd, a.text):
		return false
	case a.text == " ":
		return true
	case strings.Contains(inWord, b.text):
		return false
	case a.text == "/":
		return true
	}
	return a.width > 1 || b.width > 1 || strings.Contains(behind, a.text)
}
