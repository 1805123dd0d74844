package tui

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// The question for the background colour (XTerm Control Sequences, OSC 11). The
// answer is the same with the colour for the "?", and ends with BEL or ST.
const (
	backgroundQuestion = "\x1b]11;?\x1b\\"
	backgroundAnswer   = "\x1b]11;"
	// mostAnswer is longer than any answer: rgba:ffff/ffff/ffff/ffff and its frame.
	mostAnswer = 48
)

// backgroundMsg says whether the background of the terminal is dark.
type backgroundMsg struct{ dark bool }

// answers tells whether a terminal can be asked. The console of Linux and
// multiplexers of several terminals have no background to tell of, and Windows
// delivers answers as keys.
func answersBackground(name string) bool {
	if runtime.GOOS == "windows" || name == "" || name == "linux" {
		return false
	}
	for _, prefix := range []string{"dumb", "screen", "tmux"} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return true
}

// darkByDefault tells what is taken for the background before the terminal has
// answered: what the environment says, else dark.
func darkByDefault() bool {
	_, back, ok := strings.Cut(os.Getenv("COLORFGBG"), ";")
	back = back[strings.LastIndex(back, ";")+1:]
	n, err := strconv.Atoi(back)
	return !ok || err != nil || n < 7 || n == 8 // the light ones of the 16 colours
}

// dark tells whether a colour as the terminal writes it, rgb:ffff/ffff/ffff
// (XParseColor(3)), is nearer to black than to white.
func dark(color string) (isDark, ok bool) {
	_, digits, ok := strings.Cut(color, ":")
	parts := strings.Split(digits, "/")
	if !ok || len(parts) < 3 {
		return false, false
	}
	lo, hi := 1.0, 0.0
	for _, p := range parts[:3] {
		n, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return false, false
		}
		share := float64(n) / float64(uint(1)<<(4*len(p))-1)
		lo, hi = min(lo, share), max(hi, share)
	}
	return (lo+hi)/2 < 0.5, true
}

// answerFilter takes the answer to the question out of what is typed, whenever
// it comes and however it is cut into pieces.
type answerFilter struct {
	waits  bool // the answer has not come
	heard  func(color string)
	held   []byte // the beginning of what may be the answer
	passed bool   // the first byte of held was passed on: it may have been the Esc key
}

// filter returns what was typed. That may be more than b, by less than
// mostAnswer, when what was held turns out to be no answer.
func (f *answerFilter) filter(b []byte) []byte {
	if !f.waits || len(b) == 0 {
		return b
	}
	b = append(f.held, b...)
	skip := 0
	if f.passed {
		skip = 1
	}
	f.held, f.passed = nil, false
	from := beginning(b)
	if from == len(b) {
		return b[skip:]
	}
	rest := b[from:]
	text := rest[min(len(backgroundAnswer), len(rest)):]
	end, length := bytes.IndexByte(text, '\a'), 1
	if st := bytes.Index(text, []byte("\x1b\\")); st >= 0 && (end < 0 || st < end) {
		end, length = st, 2
	}
	switch {
	case end >= 0:
		f.waits = false
		f.heard(string(text[:end]))
		return append(b[min(skip, from):from:from], text[end+length:]...)
	case len(rest) >= mostAnswer:
		return b[skip:]
	}
	f.held = bytes.Clone(rest)
	f.passed = len(rest) == 1 || skip == 1 && from == 0
	if len(rest) == 1 {
		from++
	}
	return b[min(skip, from):from]
}

// beginning returns where an answer begins, perhaps with its end still to
// come, or the length of b.
func beginning(b []byte) int {
	if i := bytes.Index(b, []byte(backgroundAnswer)); i >= 0 {
		return i
	}
	for n := min(len(backgroundAnswer)-1, len(b)); n > 0; n-- {
		if bytes.HasSuffix(b, []byte(backgroundAnswer[:n])) {
			return len(b) - n
		}
	}
	return len(b)
}
