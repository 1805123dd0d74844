package tui

import (
	"slices"
	"testing"
)

func TestDark(t *testing.T) {
	for color, want := range map[string]bool{
		"rgb:0000/0000/0000": true, "rgb:ffff/ffff/ffff": false, "rgb:1e1e/1e1e/2e2e": true, "rgb:fd/f6/e3": false,
		"rgb:0/0/8": true, "rgba:ffff/ffff/ffff/0000": false, "rgb:0000/2b2b/3636": true,
	} {
		if got, ok := dark(color); !ok || got != want {
			t.Errorf("%s: dark is %v, %v", color, got, ok)
		}
	}
	for _, color := range []string{"", "rgb:", "rgb:00/00", "white", "rgb:g/0/0", "rgb:00000/0/0", "rgb://"} {
		if _, ok := dark(color); ok {
			t.Errorf("%q is taken for a colour", color)
		}
	}
}

func TestDarkByDefault(t *testing.T) {
	for value, want := range map[string]bool{
		"": true, "15;0": true, "0;15": false, "0;7": false, "15;default;8": true, "0;default;15": false, "0": true, "0;x": true,
	} {
		t.Setenv("COLORFGBG", value)
		if got := darkByDefault(); got != want {
			t.Errorf("COLORFGBG=%q: dark is %v", value, got)
		}
	}
}

func TestAnswersBackground(t *testing.T) {
	for name, want := range map[string]bool{
		"xterm-256color": true, "xterm": true, "foot": true,
		"": false, "dumb": false, "linux": false, "screen.xterm-256color": false, "tmux-256color": false,
	} {
		if got := answersBackground(name); got != want {
			t.Errorf("%q is asked: %v", name, got)
		}
	}
}

// The answer is taken out of what is typed, however both are cut into pieces.
// An Esc at the end of a piece is a key, for nobody knows what follows.
func TestAnswerFilter(t *testing.T) {
	for _, c := range []struct{ typed, left, color string }{
		{"\x1b]11;rgb:0/0/0\a", "", "rgb:0/0/0"},
		{"\x1b]11;rgb:0/0/0\x1b\\", "", "rgb:0/0/0"},
		{"n\x1b[Ax\x1b]11;rgb:0/0/0\x1b\\\x1b[Bq", "n\x1b[Ax\x1b[Bq", "rgb:0/0/0"},
		{"\x1b]11;rgb:0/0/0\a\x1b]11;rgb:1/1/1\a", "\x1b]11;rgb:1/1/1\a", "rgb:0/0/0"},
		{"\x1b]12;rgb:0/0/0\a", "\x1b]12;rgb:0/0/0\a", ""},
		{"a\x1bb\x1b\x1bc", "a\x1bb\x1b\x1bc", ""},
		{"\x1b]11;" + string(slices.Repeat([]byte("x"), mostAnswer)) + "y", "\x1b]11;" + string(slices.Repeat([]byte("x"), mostAnswer)) + "y", ""},
	} {
		for from := range len(c.typed) {
			for to := from; to <= len(c.typed); to++ {
				color := ""
				f := answerFilter{waits: true, heard: func(s string) { color += s }}
				var left []byte
				for _, piece := range []string{c.typed[:from], c.typed[from:to], c.typed[to:]} {
					got := f.filter([]byte(piece))
					if len(got) > len(piece)+mostAnswer {
						t.Fatalf("%d bytes from %d", len(got), len(piece))
					}
					left = append(left, got...)
				}
				want := c.left
				if c.color != "" {
					want = withEscs(c.typed, c.left, from, to)
				}
				if string(left) != want || color != c.color {
					t.Errorf("%q cut at %d and %d leaves %q and %q, want %q and %q", c.typed, from, to, left, color, want, c.color)
				}
			}
		}
	}
}

// withEscs adds to what is left the Esc of an answer that was cut behind it.
func withEscs(typed, left string, cuts ...int) string {
	at := -1
	for i := range typed {
		if len(typed)-i >= len(backgroundAnswer) && typed[i:i+len(backgroundAnswer)] == backgroundAnswer {
			at = i
			break
		}
	}
	if slices.Contains(cuts, at+1) {
		return left[:at] + "\x1b" + left[at:]
	}
	return left
}

// A whole answer leaves the filter out of the way.
func TestAnswerOnce(t *testing.T) {
	f := answerFilter{waits: true, heard: func(string) {}}
	f.filter([]byte("\x1b]11;rgb:0/0/0\a"))
	if got := string(f.filter([]byte("\x1b]1"))); got != "\x1b]1" || f.waits {
		t.Errorf("after the answer %q comes through, waiting is %v", got, f.waits)
	}
}
