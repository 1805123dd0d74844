package tui

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ibtour/verbs/softroce"
)

// benchSizes are the sizes the figures are told for.
var benchSizes = []size{{80, 24}, {120, 40}, {220, 60}}

// BenchmarkFrame draws a frame after a key, texts rendered before.
func BenchmarkFrame(b *testing.B) {
	m := recorded(b, "en", nil)
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", s.w, s.h), func(b *testing.B) {
			m.w, m.h = s.w, s.h
			m.goTo(b, "client/poll_cq", true)
			m.View()
			b.ReportAllocs()
			left := true
			for b.Loop() {
				key := tea.KeyMsg{Type: tea.KeyLeft}
				if left = !left; left {
					key.Type = tea.KeyRight
				}
				m.Update(key)
				m.View()
			}
		})
	}
}

// tape is a terminal that takes note of when it was written to.
type tape struct {
	mu    sync.Mutex
	bytes int
	last  time.Time
	wrote chan time.Time
}

func (t *tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.bytes += len(p)
	t.last = time.Now()
	t.mu.Unlock()
	select {
	case t.wrote <- time.Now():
	default:
	}
	return len(p), nil
}

func (t *tape) taken() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.bytes
	t.bytes = 0
	return n
}

// lastWrite is when the terminal was written to last.
func (t *tape) lastWrite() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// played is a whole program on a tape, at its first step.
type played struct {
	p     *tea.Program
	tape  *tape
	keys  *io.PipeWriter
	ended chan struct{}
	first time.Duration // until the first frame
}

func play(tb testing.TB, s size) *played {
	tb.Helper()
	began := time.Now()
	in, keys := io.Pipe()
	pl := &played{tape: &tape{wrote: make(chan time.Time, 1)}, keys: keys, ended: make(chan struct{})}
	opts := testOptions()
	opts.TCPPort = freePort(tb)
	m, err := newModel(tb.Context(), Config{
		Stdout: pl.tape, Opts: opts, Theme: Dark, SkipStart: true, Devices: devices(softroce.Options{}),
	})
	if err != nil {
		tb.Fatal(err)
	}
	p := newProgram(m, in, pl.tape)
	pl.p = p.tea
	go func() {
		defer close(pl.ended)
		_ = p.run(tb.Context()) // it is quit
		m.close()
	}()
	pl.p.Send(tea.WindowSizeMsg{Width: s.w, Height: s.h})
	for n := 0; n < len(enterModes+clearScreen)+s.w; n += pl.tape.taken() {
		<-pl.tape.wrote
	}
	pl.first = time.Since(began)
	pl.settle()
	return pl
}

// settle waits until nothing is written any more.
func (pl *played) settle() {
	// Not in step with the drawing, as nobody's fingers are.
	calm := 50*time.Millisecond + rand.N(20*time.Millisecond)
	timer := time.NewTimer(calm)
	defer timer.Stop()
	for {
		select {
		case <-pl.tape.wrote:
			timer.Reset(calm)
		case <-timer.C:
			return
		}
	}
}

func (pl *played) close() {
	pl.p.Quit()
	<-pl.ended
	_ = pl.keys.Close()
}

// BenchmarkKeyToFrame presses the key of the next thing and waits for the
// first bytes of its frame, and for the last ones of all that it led to: a whole
// program, with the run on soft0.
func BenchmarkKeyToFrame(b *testing.B) {
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", s.w, s.h), func(b *testing.B) {
			var took, settled, firsts []time.Duration
			written, steps := 0, 0
			for b.Loop() {
				pl := play(b, s)
				firsts = append(firsts, pl.first)
				pl.tape.taken()
				for range 40 {
					began := time.Now()
					_, _ = pl.keys.Write([]byte("n"))
					took = append(took, (<-pl.tape.wrote).Sub(began))
					pl.settle()
					settled = append(settled, pl.tape.lastWrite().Sub(began))
				}
				written += pl.tape.taken()
				steps += 40
				pl.close()
			}
			slices.Sort(took)
			slices.Sort(settled)
			slices.Sort(firsts)
			ms := func(d time.Duration) float64 { return float64(d) / 1e6 }
			b.ReportMetric(ms(took[len(took)/2]), "ms-median")
			b.ReportMetric(ms(took[len(took)*95/100]), "ms-p95")
			b.ReportMetric(ms(settled[len(settled)*95/100]), "ms-settled-p95")
			b.ReportMetric(ms(firsts[len(firsts)/2]), "ms-first-frame")
			b.ReportMetric(float64(written)/float64(steps), "B/key")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// TestIdle checks that nothing is written while the tour stands still, though
// it looks at the state all the time.
func TestIdle(t *testing.T) {
	pl := play(t, size{120, 40})
	defer pl.close()
	pl.settle()
	pl.tape.taken()
	timer := time.NewTimer(3 * lookEvery)
	defer timer.Stop()
	<-timer.C
	if n := pl.tape.taken(); n != 0 {
		t.Errorf("%d bytes were written while nothing changed", n)
	}
}

// BenchmarkMemory draws the memory of a run with messages that are new in every
// round trip: after a move of the cursor, and while it is scrolled.
func BenchmarkMemory(b *testing.B) {
	for _, bytes := range []int{4096, 1 << 20, 16 << 20} {
		opts := testOptions()
		opts.Size, opts.Check, opts.Iters = bytes, true, 3
		m := replay(b, "en", recordWith(b, &opts, nil, nil))
		m.w, m.h = 120, 40
		m.show(panelMemory)
		b.Run(fmt.Sprintf("move/%d", bytes), func(b *testing.B) {
			for b.Loop() {
				m.dumps = nil
				m.goTo(b, "client/post_send", true)
				m.View()
			}
		})
		b.Run(fmt.Sprintf("scroll/%d", bytes), func(b *testing.B) {
			for b.Loop() {
				m.press(tea.KeyMsg{Type: tea.KeyPgDown})
				m.View()
			}
		})
	}
}
