package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// walkText prints a walk as plain text, for terminals, logs and screen readers.
type walkText struct {
	out    io.Writer
	stops  int
	phase  steps.Phase
	cancel context.CancelCauseFunc
}

func newWalkText(out io.Writer, stops int, cancel context.CancelCauseFunc) *walkText {
	return &walkText{out: out, stops: stops, cancel: cancel}
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
	case steps.CallRepeated:
		w.line("   … %d such calls in all, %v together", ev.Call.Repeat, ev.Call.Duration)
	case steps.StateChanged, steps.Completed:
		w.detail(ev.Detail)
	case steps.Noticed:
		w.line("   note: %s", ev.Text)
	case steps.Met:
		w.line("   local address:  %v", ev.Address.Local)
		if ev.Address.Peer != nil {
			w.line("   remote address: %v", *ev.Address.Peer)
		}
	case steps.Measured:
		w.figures(ev.Figures)
	case steps.StepDone:
		w.done(&ev)
	case steps.Stopping:
		w.line("\n== stopping: %s ==\n   what was made is torn down", ev.Error)
	case steps.RunDone:
		if ev.Err == nil {
			w.line("\n== done: every object is destroyed ==")
		}
	case steps.RunStarted, steps.Progressed, steps.PacketSeen:
	}
}

func (w *walkText) started(ev *steps.Event) {
	if ev.Phase != w.phase {
		w.phase = ev.Phase
		w.line("\n== %s ==", ev.Phase)
	}
	who := string(ev.End)
	if who == "" {
		who = "both ends"
	}
	w.line("\n-- %d/%d  %s  %s: %s", ev.Stop+1, w.stops, who, ev.Step, ev.Title)
}

func (w *walkText) returned(c *trace.Call) {
	result := "   = " + c.Result
	if c.Errno != "" {
		result += "  " + c.Errno
	}
	w.line("%s   (%v)", result, c.Duration.Round(10*time.Nanosecond))
}

func (w *walkText) detail(d trace.Event) {
	switch d := d.(type) {
	case trace.StateChange:
		w.line("   QP 0x%06x: %s → %s", d.QPN, d.From, d.To)
	case trace.Completion:
		w.line("   completion: wr_id %d, %s, %s, %d bytes", d.WRID, d.Status, d.Opcode, d.ByteLen)
	}
}

func (w *walkText) figures(f *steps.Figures) {
	w.line("   %s, at full speed, the hand-walked iteration not counted:", f.Role)
	for _, l := range figureLines(f) {
		w.line("   %s", l)
	}
}

func (w *walkText) done(ev *steps.Event) {
	gone := map[string]bool{}
	for _, c := range ev.Changes {
		switch {
		case c.From == "":
			w.line("   + %s = %s", c.Name, c.To)
		case c.To != "":
			w.line("   ~ %s: %s → %s", c.Name, c.From, c.To)
		default:
			w.gone(c.Name, gone)
		}
	}
	if ev.Error != "" {
		w.line("   FAILED: %s", oneLine(ev.Err))
	}
}

// gone tells once of an object whose facts are all gone.
func (w *walkText) gone(fact string, told map[string]bool) {
	object := fact
	if i := strings.LastIndexByte(fact, '.'); i >= 0 {
		object = fact[:i]
	}
	if !told[object] {
		told[object] = true
		w.line("   - %s", object)
	}
}

// line prints a line; when nobody reads any more, the run ends.
func (w *walkText) line(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), " ")
	if _, err := fmt.Fprintln(w.out, text); err != nil {
		w.cancel(fmt.Errorf("standard output: %w", err))
	}
}

func (w *walkText) close(err error) error { return err }
