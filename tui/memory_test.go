package tui

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/kernel"
	"ibtour/verbs/softroce"
)

// stamped is a run whose client writes some bytes into its message before it
// sends it.
func stamped(t *testing.T, size int, stamp map[int]byte) *model {
	t.Helper()
	tour := steps.Tour{Name: "stamped", Steps: slices.Clone(steps.RCPingPong.Steps)}
	for i := range tour.Steps {
		s := &tour.Steps[i]
		if send := s.Do; s.ID == "post_send" && s.On == steps.Client {
			s.Do = func(ctx context.Context, e *steps.End) error {
				for at, b := range stamp {
					e.Buffer.Bytes()[at] = b
				}
				return send(ctx, e)
			}
		}
	}
	opts := testOptions()
	opts.TCPPort, opts.Host, opts.Device, opts.Size = freePort(t), "127.0.0.1", "soft0", size
	m := testModel(t, "en")
	inColour(m)
	r := &steps.Runner{Tour: &tour, Opts: &opts, Driver: softroce.New(softroce.Options{}), Roles: m.roles, Observe: true}
	m.device = Device{Name: "soft0", Soft: true}
	m.run, m.hist, m.screen = newSession(t.Context(), r, m.send), newHistory(r.Stops()), screenTour
	r.Gate, r.Sink = steps.Open, func(ev steps.Event) { m.hist.add(&ev) }
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.breaks, m.pick, m.w, m.h = map[int]bool{}, -1, 200, 60
	m.goTo(t, "client/post_send", true)
	return m
}

var dumpRow = regexp.MustCompile(`^  \+([0-9a-f]+) `)

// highlighted returns the bytes of an end's dump that are written in the
// colour of change, by their offsets.
func highlighted(t *testing.T, m *model, r steps.Role, w int) map[int]byte {
	t.Helper()
	out := map[int]byte{}
	s := m.look().endMemory(r, w)
	on := m.styles.changed.on
	for i := range s.n {
		line := s.line(i)
		row := dumpRow.FindStringSubmatch(ansi.Strip(line))
		if row == nil {
			continue
		}
		if strings.Contains(line, "*") && strings.Contains(line, "more rows") {
			if strings.Contains(line, on) {
				t.Fatalf("changed rows are folded: %q", ansi.Strip(line))
			}
			continue
		}
		at, _ := strconv.ParseInt(row[1], 16, 64)
		_, hex, _ := strings.Cut(line, row[1])
		for j, part := range strings.Split(hex, " ")[1:] {
			digits := ansi.Strip(part)
			if len(digits) != 2 {
				break
			}
			if strings.Contains(part, on) {
				b, err := strconv.ParseUint(digits, 16, 8)
				if err != nil {
					t.Fatal(err)
				}
				out[int(at)+j] = byte(b)
			}
		}
	}
	return out
}

// TestChangedBytes sends a message with a few bytes of its own: exactly these
// are in the colour of change at the receiver, wherever they are, in the step
// of the sender, since soft0 delivers at once; and in no other step.
func TestChangedBytes(t *testing.T) {
	stamp := map[int]byte{0: 0x00, 63: 0x41, 64: 0x42, 65: 0x43, 1000: 0xff, 4095: 0x10, 4096: 0x11, 9999: 0xee}
	m := stamped(t, 10000, stamp)
	for _, w := range []int{44, 80} {
		for _, r := range m.roles {
			if got := highlighted(t, m, r, w); fmt.Sprint(got) != fmt.Sprint(stamp) {
				t.Errorf("%s at %d: %v is highlighted, want %v", r, w, got, stamp)
			}
		}
	}
	if s := screenOf(t, withFocus(m, panelMemory)); !strings.Contains(s, "8 B changed in this step, +0 to +270f") {
		t.Errorf("the changes are not summed up:\n%s", s)
	}
	m.goTo(t, "server/poll_cq", true)
	if got := highlighted(t, m, steps.Server, 80); len(got) != 0 {
		t.Errorf("%v is highlighted in a step that changed nothing", got)
	}
	if s := screenOf(t, m); !strings.Contains(s, "no byte changed in this step; 8 B are not as filled") {
		t.Errorf("it is not said that nothing changed:\n%s", s)
	}
}

func withFocus(m *model, p panel) *model {
	m.show(p)
	return m
}

// TestChangedMeanwhile: what a peer writes while the step waits is highlighted,
// and it is said when it came.
func TestChangedMeanwhile(t *testing.T) {
	m := stamped(t, 4096, map[int]byte{70: 1})
	after := m.look().now
	m.goTo(t, "client/post_send", false)
	v := &m.hist.visits[m.current().stop]
	v.done, m.hist.live, m.hist.at = false, after, m.current().stop
	if got := highlighted(t, m, steps.Server, 80); fmt.Sprint(got) != fmt.Sprint(map[int]byte{70: 1}) {
		t.Errorf("%v is highlighted", got)
	}
	if s := screenOf(t, withFocus(m, panelMemory)); !strings.Contains(s, "1 B changed while the step waits, +46 to +46") {
		t.Errorf("it is not said when:\n%s", s)
	}
}

// TestNextChange goes from change to change with a key, round and round, and
// from where the reader has scrolled to.
func TestNextChange(t *testing.T) {
	m := stamped(t, 1<<17, map[int]byte{0x40: 1, 0x8000: 2, 0x1fff0: 3})
	m.w, m.h = 80, 24
	press := func(k tea.KeyMsg) []string {
		m.press(k)
		return strings.Split(screenOf(t, m), "\n")
	}
	c := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("c")}
	for _, want := range []string{"+00040", "+08000", "+1fff0", "+00040", "+08000", "+1fff0", "+00040"} {
		lines := press(c)
		if m.focus != panelMemory || !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  "+want) }) {
			t.Fatalf("%s is not on the screen:\n%s", want, strings.Join(lines, "\n"))
		}
	}
	press(tea.KeyMsg{Type: tea.KeyHome})
	for range 14 { // over the first changes of both ends
		press(tea.KeyMsg{Type: tea.KeyDown})
	}
	if lines := press(c); !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  +08000") }) {
		t.Errorf("from further down:\n%s", strings.Join(lines, "\n"))
	}
	m.goTo(t, "server/poll_cq", true)
	if press(c); m.flash != english.noChange {
		t.Errorf("where nothing changed it says %q", m.flash)
	}
}

// TestScrollMemory reaches the last row of a buffer that folds nothing.
func TestScrollMemory(t *testing.T) {
	stamp := map[int]byte{}
	for at := range 1 << 16 {
		stamp[at] = byte(at>>4 ^ at>>12)
	}
	m := stamped(t, 1<<16, stamp)
	m.w, m.h = 80, 24
	m.show(panelMemory)
	m.press(tea.KeyMsg{Type: tea.KeyEnd})
	if s := screenOf(t, m); !strings.Contains(s, "\n  +fff0 f0 f0") {
		t.Errorf("the end does not show the last row:\n%s", s)
	}
	m.press(tea.KeyMsg{Type: tea.KeyPgUp})
	m.press(tea.KeyMsg{Type: tea.KeyUp})
	if s := screenOf(t, m); strings.Contains(s, "+ff10") || !strings.Contains(s, "\n  +fe10 ee") || !strings.Contains(s, "\n  +ff00 ff") {
		t.Errorf("a page and a line up:\n%s", s)
	}
}

// TestPinning shows whose count is whose: the kernel's of the process and of
// each region, and that of the embedded device.
func TestPinning(t *testing.T) {
	m := stamped(t, 4096, nil)
	m.w, m.h = 120, 40
	m.show(panelMemory)
	m.zoom = true
	check := func(wants ...string) {
		t.Helper()
		s := screenOf(t, m)
		for _, want := range wants {
			if !strings.Contains(s, want) {
				t.Errorf("%q is not on the screen:\n%s", want, s)
			}
		}
	}
	now := m.look().now
	now.Process = &kernel.Process{Pinned: 12288, Locked: 4096}
	check("VmPin 12288 B · VmLck 4096 B", "soft0 8192 B", english.memBySoft, english.memCounted, "pages: 1 × 4096 B")
	if s := screenOf(t, m); strings.Contains(s, english.memPinned) {
		t.Errorf("pages that soft0 counts are said to be pinned:\n%s", s)
	}
	key := now.Ends[1].MR.LKey
	now.Booked, now.Kernel = nil, &kernel.Resources{Device: "rxe0", MRs: []kernel.MR{
		{MRN: 5, Len: 4096, LKey: &key}, {MRN: 6, Len: 100, LKey: new(verbs.LKey)}, {MRN: 7, Len: 4096},
	}}
	check(english.memPinned, "mrn 5  4096 B  lkey "+key.String()+"  "+english.memRecordOf+"client",
		"mrn 6  100 B  lkey 0x00000000  "+english.memRecordNone, "mrn 7  4096 B  "+english.memKeysHidden)
	now.Process = nil
	check(english.memNoProc)
}

// lineOf is a line of a dump: a row, or how many are folded.
type lineOf struct{ row, folded int }

// planned writes a plan the slow way: row by row.
func planned(now, old []byte, per int) (lines []lineOf, marks []int, changed, first, last int) {
	row := func(b []byte, i int) []byte {
		if b == nil {
			return nil
		}
		return b[min(i*per, len(b)):min((i+1)*per, len(b))]
	}
	differ := func(i int) bool { return old != nil && !bytes.Equal(row(now, i), row(old, i)) }
	rows := (len(now) + per - 1) / per
	for i := 0; i < rows; {
		n := 0
		for j := i + 1; j < rows && bytes.Equal(row(now, j), row(now, i)) && bytes.Equal(row(old, j), row(old, i)); j++ {
			n++
		}
		if differ(i) && (i == 0 || !differ(i-1)) {
			marks = append(marks, len(lines))
		}
		lines = append(lines, lineOf{i, 0})
		switch {
		case n == 1:
			lines = append(lines, lineOf{i + 1, 0})
		case n > 1:
			lines = append(lines, lineOf{i + 1, n})
		}
		i += n + 1
	}
	for i := range old {
		if now[i] != old[i] {
			if changed == 0 {
				first = i
			}
			last = i
			changed++
		}
	}
	return lines, marks, changed, first, last
}

// TestDump compares plans with plans made the slow way, of contents with equal
// pages, equal rows, odd ends and changes of every kind.
func TestDump(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		size := 1 + random.IntN(5*4096)
		if n%3 == 0 {
			size = 4096 * (1 + random.IntN(6))
		}
		contents := [2][]byte{bytes.Repeat([]byte{0x7b}, size), nil}
		for range random.IntN(4) {
			from := random.IntN(size)
			piece := contents[0][from:min(from+random.IntN(2*4096), size)]
			if fill := byte(random.IntN(3)); fill > 0 {
				copy(piece, bytes.Repeat([]byte{fill}, len(piece)))
			} else if len(piece) > 0 {
				piece[0]++
			}
		}
		if n%4 > 0 {
			contents[1] = bytes.Repeat([]byte{0x7b}, size)
			if n%4 > 1 {
				copy(contents[1], contents[0])
				contents[1][random.IntN(size)] ^= 1
			}
		}
		for _, per := range []int{8, 16} {
			d := newDump(memoryOf(t, contents[0]), memoryOf(t, contents[1]), per)
			lines, marks, changed, first, last := planned(contents[0], contents[1], per)
			var got []lineOf
			for i := range d.lines {
				row, folded := d.at(i)
				got = append(got, lineOf{row, folded})
			}
			if !slices.Equal(got, lines) || !slices.Equal(d.marks, marks) {
				t.Fatalf("case %d, %d bytes by %d: lines %v marks %v, want %v and %v", n, size, per, got, d.marks, lines, marks)
			}
			if d.changed != changed || d.first != first || d.last != last {
				t.Fatalf("case %d, %d bytes by %d: %d changed from %d to %d, want %d from %d to %d",
					n, size, per, d.changed, d.first, d.last, changed, first, last)
			}
		}
	}
}

// memoryOf is a content as a run observes it.
func memoryOf(tb testing.TB, content []byte) *steps.Memory {
	tb.Helper()
	if content == nil {
		return nil
	}
	b, err := verbs.AllocBuffer(len(content))
	if err != nil {
		tb.Fatal(err)
	}
	defer b.Free()
	copy(b.Bytes(), content)
	e := steps.NewEnd(steps.Client, new(steps.Options), nil)
	e.Buffer = b
	return steps.Observe([]*steps.End{e}).Ends[0].Buffer.Memory
}

// TestSheet puts sheets together.
func TestSheet(t *testing.T) {
	a := sheet{n: 2, line: func(i int) string { return fmt.Sprint("a", i) }, marks: []int{1}}
	b := sheet{n: 3, line: func(i int) string { return fmt.Sprint("b", i) }, marks: []int{1, 2}}
	s := a.below(b)
	if got := s.cut(1, 3); !slices.Equal(got, []string{"a1", "b0", "b1"}) || !slices.Equal(s.marks, []int{1, 3, 4}) {
		t.Errorf("below: %q, marks %v", got, s.marks)
	}
	s = a.beside(b, 4)
	if got := s.cut(0, 9); !slices.Equal(got, []string{"a0     b0  ", "a1     b1  ", "       b2  "}) || !slices.Equal(s.marks, []int{1, 2}) {
		t.Errorf("beside: %q, marks %v", got, s.marks)
	}
	for after, want := range map[int]int{-1: 1, 0: 1, 1: 2, 2: 1, 7: 1} {
		if got := s.next(after); got != want {
			t.Errorf("after %d comes %d, want %d", after, got, want)
		}
	}
	if got := written([]string{"x"}).next(0); got != -1 {
		t.Errorf("after nothing comes %d", got)
	}
}
