package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ibtour/annotations"
	"ibtour/steps"
	"ibtour/verbs/kernel"
	"ibtour/verbs/trace"
)

// walkText prints a walk as plain text, for terminals, logs and screen readers.
type walkText struct {
	say    *wording
	lang   string
	out    io.Writer
	stops  int
	book   *annotations.Book // nil: without annotations
	phase  steps.Phase
	cancel context.CancelCauseFunc

	told    map[string]bool  // steps whose annotation was printed
	look    annotations.Page // of the step, until it told where to look
	blind   bool             // it was said that system calls are not observed
	packets int              // of the step
	capture trace.Capture    // the latest report
}

func newWalkText(a *app, stops int, book *annotations.Book, cancel context.CancelCauseFunc) *walkText {
	return &walkText{say: a.say(), lang: a.lang, out: a.out, stops: stops, book: book, cancel: cancel, told: map[string]bool{}}
}

func (w *walkText) event(ev steps.Event) {
	switch ev.Kind {
	case steps.StepStarted:
		w.started(&ev)
	case steps.CallStarted:
		for _, l := range ev.Call.Lines() {
			w.line("   %s", l)
		}
	case steps.CallDone:
		w.returned(ev.Call)
		w.seen(ev.Seen)
	case steps.CallRepeated:
		w.line("   %s", w.say.repeated.With(ev.Call.Repeat, ev.Call.Duration))
	case steps.StateChanged, steps.Completed:
		w.detail(ev.Detail)
	case steps.Noticed:
		w.line("   %s", w.say.note.With(ev.Text))
	case steps.Met:
		w.line("   %s%v", w.say.local, ev.Address.Local)
		if ev.Address.Peer != nil {
			w.line("   %s%v", w.say.remote, *ev.Address.Peer)
		}
	case steps.Measured:
		w.figures(ev.Figures)
	case steps.StepDone:
		w.done(&ev)
	case steps.Stopping:
		w.line("\n%s", w.say.stopping.With(ev.Error))
	case steps.RunDone:
		if text := w.say.captureCount(w.capture); text != "" {
			w.line("\n%s", text)
		}
		if ev.Err == nil {
			w.line("\n%s", w.say.done)
		}
	case steps.PacketSeen:
		w.packet(ev.Detail)
	case steps.Captured:
		w.captured(ev.Detail)
	case steps.RunStarted, steps.Progressed:
	}
}

func (w *walkText) note(text string) {
	if text != "" {
		w.line("%s", text)
	}
}

func (w *walkText) started(ev *steps.Event) {
	if ev.Phase != w.phase {
		w.phase = ev.Phase
		w.line("\n== %s ==", ev.Phase.In(w.lang))
	}
	who := w.say.bothEnds
	if ev.End != "" {
		who = w.say.roles[string(ev.End)]
	}
	w.line("\n-- %d/%d  %s  %s: %s", ev.Stop+1, w.stops, who, ev.Step, ev.Title)
	w.packets = 0
	w.annotate(ev)
}

// textWidth is the width of an annotation, in cells.
const textWidth = 76

// annotate prints what a step's annotation explains, with the values of this
// moment, when the step comes for the first time.
func (w *walkText) annotate(ev *steps.Event) {
	if w.book == nil || w.told[ev.Step] {
		return
	}
	w.told[ev.Step] = true
	if page, ok := w.book.Step(ev.Step); ok {
		w.look = page
		w.paragraph(page.Fill(ev.State.Resolver(ev.End)).Explanation())
		w.line("")
	}
}

// lookBack prints the end of an annotation, which tells where to look, when the
// values are there.
func (w *walkText) lookBack(ev *steps.Event) {
	if text := w.look.Within(ev.State.Has).Fill(ev.State.Resolver(ev.End)).Look(); text != "" && ev.Err == nil {
		w.line("")
		w.paragraph(text)
	}
	w.look = annotations.Page{}
}

func (w *walkText) paragraph(text string) {
	for l := range strings.SplitSeq(ansi.Wrap(annotations.Plain(text), textWidth, ""), "\n") {
		w.line("   %s", l)
	}
}

// mostPackets is how many packets of a step are printed; full speed has more.
const mostPackets = 16

// packet prints a packet as it leaves its sender.
func (w *walkText) packet(d trace.Event) {
	p, ok := d.(trace.Packet)
	if !ok || !p.Sent {
		return
	}
	if w.packets++; w.packets <= mostPackets {
		w.line("   %s", w.say.packet.With(w.say.packetText(p)))
	}
}

// captured tells whether packets are captured, when that changes.
func (w *walkText) captured(d trace.Event) {
	before := w.capture
	w.capture, _ = d.(trace.Capture)
	if w.capture.State != before.State {
		w.line("   %s", w.say.note.With(w.say.captureText(w.capture)))
	}
	if w.capture.Paused && !before.Paused {
		w.line("   %s", w.say.note.With(string(w.say.capturePaused)))
	}
}

func (w *walkText) returned(c *trace.Call) {
	result := "   = " + c.Result
	if c.Errno != "" {
		result += "  " + c.Errno
	}
	w.line("%s   (%v)", result, c.Duration.Round(10*time.Nanosecond))
}

// seen prints what the kernel showed of a call.
func (w *walkText) seen(s *kernel.Seen) {
	switch {
	case s == nil:
		return
	case s.Unwatched != nil && !w.blind:
		w.blind = true
		w.line("   %s", w.say.note.With(steps.UnwatchedText(s.Unwatched, w.lang)))
	case s.Unwatched == nil && len(s.Syscalls) == 0:
		w.line("   %s", w.say.kernelNone)
	}
	for i := range s.Syscalls {
		w.line("   %s", w.say.kernelCall.With(s.Syscalls[i].String()))
	}
	if s.Lost > 0 {
		w.line("   %s", w.say.kernelLost.With(s.Lost))
	}
	for _, f := range s.Opened {
		w.line("   %s", w.say.opened.With(f))
	}
	for _, f := range s.Closed {
		w.line("   %s", w.say.closed.With(f))
	}
	for _, m := range s.Mapped {
		w.line("   %s", w.say.mapped.With(m))
	}
	for _, m := range s.Unmapped {
		w.line("   %s", w.say.unmapped.With(m))
	}
}

func (w *walkText) detail(d trace.Event) {
	switch d := d.(type) {
	case trace.StateChange:
		w.line("   QP 0x%06x: %s → %s", d.QPN, d.From, d.To)
	case trace.Completion:
		text := "   " + w.say.completed.With(d.WRID, d.Status)
		if d.Opcode != "" {
			text += w.say.also + d.Opcode
		}
		if strings.HasPrefix(d.Opcode, "IBV_WC_RECV") {
			text += w.say.also + w.say.size.With(d.ByteLen)
		}
		w.line("%s", text)
	}
}

func (w *walkText) figures(f *steps.Figures) {
	w.line("   %s", w.say.measured.With(w.say.roles[string(f.Role)]))
	for _, l := range w.say.figures(f) {
		w.line("   %s", l)
	}
}

func (w *walkText) done(ev *steps.Event) {
	if more := w.packets - mostPackets; more > 0 {
		w.line("   %s", w.say.morePackets.With(more))
	}
	gone := map[string]bool{}
	for _, c := range ev.Changes {
		switch {
		case c.From == "":
			w.line("   + %s = %s", c.Name, c.To)
		case c.To != "":
			w.line("   ~ %s: %s → %s", c.Name, c.From, c.To)
		default:
			w.gone(c.Object(), gone)
		}
	}
	if ev.Error != "" && !left(ev.Err) {
		w.line("   %s", w.say.failed.With(oneLine(ev.Err)))
	}
	w.lookBack(ev)
}

// gone tells once of an object that is gone.
func (w *walkText) gone(object string, told map[string]bool) {
	if !told[object] {
		told[object] = true
		w.line("   - %s", object)
	}
}

// line prints a line; when nobody reads any more, the run ends.
func (w *walkText) line(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	if _, err := fmt.Fprintln(w.out, text); err != nil {
		w.cancel(w.say.stdout.Err(err))
	}
}

func (w *walkText) close(err error) error { return err }
