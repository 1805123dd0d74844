package tui

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"ibtour/verbs/softroce"
)

// emulated is a whole program on an emulated terminal: what is on its screen is
// made of the bytes that were written, by rules that are not ours.
type emulated struct {
	tb    testing.TB
	p     *program
	ended chan struct{}

	mu      sync.Mutex // of the emulator and what it told
	emu     *vt.Emulator
	strange []string // what no screen of ours should send
	modes   map[string]bool
}

// emulate runs a program on a terminal of that size.
func emulate(tb testing.TB, m *model, s size) *emulated {
	tb.Helper()
	e := &emulated{tb: tb, emu: vt.NewEmulator(s.w, s.h), modes: map[string]bool{}, ended: make(chan struct{})}
	e.emu.SetLogger(e)
	e.emu.SetCallbacks(vt.Callbacks{
		Bell:             func() { e.strange = append(e.strange, "the bell") },
		Title:            func(s string) { e.strange = append(e.strange, "the title "+s) },
		CursorVisibility: func(on bool) { e.modes["cursor"] = on },
		AltScreen:        func(on bool) { e.modes["alternate screen"] = on },
		EnableMode:       func(m ansi.Mode) { e.modes[fmt.Sprint(m)] = true },
		DisableMode:      func(m ansi.Mode) { e.modes[fmt.Sprint(m)] = false },
	})
	go func() { _, _ = io.Copy(io.Discard, e.emu) }() // answers to questions
	in, _ := io.Pipe()
	e.p = newProgram(m, in, e)
	go func() {
		defer close(e.ended)
		_ = e.p.run(tb.Context()) // it is quit
	}()
	e.p.tea.Send(tea.WindowSizeMsg{Width: s.w, Height: s.h})
	return e
}

// Write is the terminal's.
func (e *emulated) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.emu.Write(p)
}

// Printf takes what the emulator cannot make sense of. Modes are told of
// otherwise.
func (e *emulated) Printf(format string, v ...any) {
	if s := fmt.Sprintf(format, v...); !strings.HasPrefix(s, "setting mode") {
		e.strange = append(e.strange, s)
	}
}

// resize changes the size as a terminal does: first its own, then the program
// hears of it.
func (e *emulated) resize(w, h int) {
	e.mu.Lock()
	e.emu.Resize(w, h)
	e.mu.Unlock()
	e.p.tea.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

// settle waits until what was sent is done and drawn, and checks that it is on
// the screen.
func (e *emulated) settle(after string) {
	e.tb.Helper()
	type nothing struct{}
	e.p.tea.Send(nothing{})
	e.p.tea.Send(nothing{}) // is taken when the frame after the first one is drawn
	select {
	case <-e.ended:
		e.tb.Fatalf("after %s the program has ended", after)
	default:
	}
	e.p.term.mu.Lock()
	defer e.p.term.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if diff := e.compare(e.p.term.lines); diff != "" {
		e.tb.Fatalf("after %s the terminal of %d×%d does not show what was drawn: %s", after, e.emu.Width(), e.emu.Height(), diff)
	}
	if len(e.strange) > 0 {
		e.tb.Fatalf("after %s the terminal got %q", after, e.strange)
	}
}

// compare returns the first difference between the screen and what was drawn:
// each character in its cell, as wide as it is, in its style; the rest blank.
func (e *emulated) compare(lines []string) string {
	w, h := e.emu.Width(), e.emu.Height()
	if len(lines) != h {
		return fmt.Sprintf("%d lines were drawn", len(lines))
	}
	for y, line := range lines {
		if diff := e.compareLine(y, ansi.Strip(line), w); diff != "" {
			return diff
		}
	}
	return e.compareStyles(lines)
}

// compareLine compares the characters of a line, each at its cell.
func (e *emulated) compareLine(y int, line string, w int) string {
	x, state := 0, byte(0)
	for rest := line; rest != ""; {
		seq, n, size, next := ansi.DecodeSequence(rest, state, nil)
		state, rest = next, rest[size:]
		if c := e.emu.CellAt(x, y); c == nil || c.Content != seq || c.Width != n {
			return fmt.Sprintf("line %d, cell %d: %+v, want %q of %d cells, in %q", y, x, c, seq, n, line)
		}
		x += n
	}
	if x != w {
		return fmt.Sprintf("line %d has %d cells: %q", y, x, line)
	}
	return ""
}

// compareStyles compares with a terminal on which the lines are written one by
// one.
func (e *emulated) compareStyles(lines []string) string {
	w, h := e.emu.Width(), e.emu.Height()
	whole := vt.NewEmulator(w, h)
	defer whole.Close()
	for y, line := range lines {
		_, _ = fmt.Fprintf(whole, "\x1b[%d;1H%s", y+1, line)
	}
	for y := range h {
		for x := range w {
			if got, want := e.emu.CellAt(x, y), whole.CellAt(x, y); !got.Equal(want) {
				return fmt.Sprintf("line %d, cell %d: %#v, want %#v, in %q", y, x, *got, *want, ansi.Strip(lines[y]))
			}
		}
	}
	return ""
}

// leave ends the program and checks that the terminal is as it was.
func (e *emulated) leave() {
	e.tb.Helper()
	e.p.tea.Quit()
	<-e.ended
	e.mu.Lock()
	defer e.mu.Unlock()
	// Its Close would race with the reader of the answers.
	defer e.emu.InputPipe().(io.Closer).Close() //nolint:forcetypeassert // an io.PipeWriter
	for mode, on := range e.modes {
		if on != (mode == "cursor" || mode == fmt.Sprint(ansi.ModeTextCursorEnable)) {
			e.tb.Errorf("mode %s is left %v", mode, on)
		}
	}
	if len(e.modes) < 3 || e.emu.IsAltScreen() || e.emu.CursorHidden() {
		e.tb.Errorf("modes %v, alternate screen %v, cursor hidden %v", e.modes, e.emu.IsAltScreen(), e.emu.CursorHidden())
	}
}

// TestEmulated walks a whole run on an emulated terminal, in Chinese, while its
// size, the panels and the language change.
func TestEmulated(t *testing.T) {
	opts := testOptions()
	opts.TCPPort, opts.Check = freePort(t), true
	m, err := newModel(t.Context(), Config{
		Stdout: io.Discard, Opts: opts, Lang: "zh", Theme: Dark, SkipStart: true, At: "client/post_send",
		Devices: devices(softroce.Options{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	inColour(m)
	e := emulate(t, m, size{120, 40})
	e.settle("the start")
	for i, step := range strings.Fields("80x24 6 n c 200x60 n 7 n o 40x10 n 121x41 4 n L 9 z r 81x25 2 n ? esc 1 120x40 L + e n") {
		var w, h int
		if n, _ := fmt.Sscanf(step, "%dx%d", &w, &h); n == 2 {
			e.resize(w, h)
		} else if step == "esc" {
			e.p.tea.Send(tea.KeyMsg{Type: tea.KeyEsc})
		} else {
			e.p.tea.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(step)})
		}
		e.settle(fmt.Sprintf("%d: %s", i, step))
	}
	e.leave()
	m.close()
}
