package tui

import (
	"errors"
	"strings"
	"testing"
)

// Only the lines that differ are written, and not the spaces at their end.
func TestDraw(t *testing.T) {
	var out strings.Builder
	term := newTerminal(strings.NewReader(""), &out)
	wrote := func(what, want string) {
		t.Helper()
		if got := out.String(); got != want {
			t.Errorf("%s writes %q, want %q", what, got, want)
		}
		out.Reset()
	}
	draw := func(frame string) {
		t.Helper()
		if err := term.draw(frame); err != nil {
			t.Fatal(err)
		}
	}
	draw("too early")
	wrote("a frame before the terminal is ours", "")
	if err := term.enter(); err != nil {
		t.Fatal(err)
	}
	wrote("entering", "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1002h\x1b[?1006h")
	draw("")
	wrote("a frame of unknown size", "")
	draw("one  \ntwo  \nthree")
	wrote("the first frame", "\x1b[2J\x1b[H\x1b[Hone\x1b[K\x1b[2;1Htwo\x1b[K\x1b[3;1Hthree")
	draw("one  \ntwo  \nthree")
	wrote("the same frame", "")
	draw("one  \n\x1b[7m2 \x1b[0m  \nthree")
	wrote("another line", "\x1b[2;1H\x1b[7m2 \x1b[0m\x1b[K")
	term.forget()
	draw("1\n2")
	wrote("a frame after another size", "\x1b[2J\x1b[H\x1b[H1\x1b[2;1H2")
	if err := term.enter(); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	draw("1\n2")
	wrote("a frame after entering again", "\x1b[2J\x1b[H\x1b[H1\x1b[2;1H2")
	term.leave()
	wrote("leaving", "\x1b[m\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[?1049l\x1b[?25h")
	term.leave()
	draw("too late")
	wrote("leaving again and a frame after it", "")
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// A terminal that is gone ends the program with the reason.
func TestDrawFails(t *testing.T) {
	gone := errors.New("gone")
	term := newTerminal(strings.NewReader(""), brokenWriter{gone})
	if err := term.enter(); !errors.Is(err, gone) {
		t.Errorf("entering gives %v", err)
	}
	if err := term.draw("x"); !errors.Is(err, gone) {
		t.Errorf("drawing gives %v", err)
	}
}
