package tui

import (
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"golang.org/x/term"
)

// terminal is where frames are drawn, and knows how to give it back as it was.
//
// It stands in for the renderer of bubbletea, which looks at the frame at a
// fixed rate: that costs processor time while nothing changes, and delays
// every key by up to a tick. Here a frame is written when it is drawn, and only
// the lines that differ.
type terminal struct {
	in  *os.File // to be set raw; nil where it is no terminal
	out io.Writer
	fd  int // of out, -1 where it is no terminal

	cooked atomic.Pointer[term.State] // of in, while it is raw

	mu    sync.Mutex
	open  bool
	lines []string // what stands on the screen; nil for nothing we know
	buf   []byte
	reset func() error // of a console that had to be told of escape sequences
}

// What is asked of a terminal, and taken back. The cursor comes back last: some
// terminals keep one for each screen.
const (
	enterModes = ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.SetModeBracketedPaste +
		ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	leaveModes = ansi.ResetStyle + ansi.ResetModeMouseExtSgr + ansi.ResetModeMouseButtonEvent +
		ansi.ResetModeBracketedPaste + ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable
	clearScreen = ansi.EraseEntireScreen + ansi.CursorHomePosition
)

func newTerminal(in io.Reader, out io.Writer) *terminal {
	t := &terminal{out: out, fd: -1}
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.in = f
	}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		t.fd = int(f.Fd())
	}
	return t
}

// enter takes the terminal over. Where it is taken over already, it makes sure
// of that: a shell may have changed it while the process was stopped.
func (t *terminal) enter() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.in != nil {
		before, err := term.MakeRaw(int(t.in.Fd()))
		if err != nil {
			return err
		}
		t.cooked.CompareAndSwap(nil, before)
	}
	if f, ok := t.out.(*os.File); ok && !t.open {
		if reset, err := termenv.EnableVirtualTerminalProcessing(termenv.NewOutput(f)); err == nil {
			t.reset = reset
		}
	}
	t.open, t.lines = true, nil
	_, err := io.WriteString(t.out, enterModes)
	return err
}

// leave gives the terminal back as it was. It may be called at any moment, from
// any goroutine, and again. The line discipline comes first: setting it never
// waits, while a frame may just be waiting for the terminal to read.
func (t *terminal) leave() {
	if before := t.cooked.Swap(nil); before != nil {
		_ = term.Restore(int(t.in.Fd()), before) // a terminal that is gone needs nothing
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open {
		return
	}
	t.open = false
	_, _ = io.WriteString(t.out, leaveModes) // the same
	if t.reset != nil {
		_ = t.reset()
	}
}

// forget makes the next frame a whole one: the terminal may have rearranged
// what was on it.
func (t *terminal) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = nil
}

// ask writes a question, whose answer comes among what is typed.
func (t *terminal) ask(question string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := io.WriteString(t.out, question)
	return err
}

// draw brings a frame on the screen, whose lines are each as wide as it is. An
// error means that the terminal is gone.
func (t *terminal) draw(frame string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open || frame == "" {
		return nil
	}
	lines := strings.Split(frame, "\n")
	t.buf = t.buf[:0]
	if t.lines == nil {
		t.buf = append(t.buf, clearScreen...)
	}
	for i, line := range lines {
		if i < len(t.lines) && t.lines[i] == line {
			continue
		}
		t.buf = append(t.buf, ansi.CursorPosition(1, i+1)...)
		short := strings.TrimRight(line, " ")
		t.buf = append(t.buf, short...)
		if len(short) < len(line) {
			t.buf = append(t.buf, ansi.EraseLineRight...)
		}
	}
	t.lines = lines
	if len(t.buf) == 0 {
		return nil
	}
	_, err := t.out.Write(t.buf)
	return err
}

// size returns the columns and rows, 0 where they are not known.
func (t *terminal) size() (w, h int) {
	if t.fd < 0 {
		return 0, 0
	}
	w, h, err := term.GetSize(t.fd)
	if err != nil {
		return 0, 0
	}
	return w, h
}
