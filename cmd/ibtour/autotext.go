package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// autoText prints a run at full speed as lines, with a progress bar on a
// terminal.
type autoText struct {
	say  *wording
	out  *keeper
	both bool // both ends are in this process
	bar  *progressbar.ProgressBar

	capture trace.Capture // the latest report
}

func newAutoText(a *app, both bool) *autoText {
	t := &autoText{say: a.say(), out: a.keeper(), both: both}
	if isTerminal(a.err) {
		// Its spinner would draw from a goroutine of its own, without the lock.
		t.bar = progressbar.NewOptions(-1, progressbar.OptionSetSpinnerChangeInterval(0), progressbar.OptionSetWriter(a.err),
			progressbar.OptionSetDescription(t.say.roundTrips), progressbar.OptionShowCount(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetPredictTime(false))
	}
	return t
}

func (t *autoText) event(ev steps.Event) {
	switch ev.Kind {
	case steps.Noticed:
		t.line(ev.End, ev.Text)
	case steps.Met:
		if ev.Address.Peer == nil || ev.End == steps.Server {
			t.line(ev.End, t.say.local+ev.Address.Local.String())
		}
		if ev.Address.Peer != nil {
			t.line(ev.End, t.say.remote+ev.Address.Peer.String())
		}
	case steps.Progressed:
		t.progress(ev.Reached)
	case steps.Measured:
		t.figures(ev.Figures)
	case steps.Captured:
		t.captured(ev.Detail)
	case steps.RunStarted, steps.StepStarted, steps.CallStarted, steps.CallDone, steps.CallRepeated,
		steps.StateChanged, steps.Completed, steps.StepDone, steps.Stopping, steps.RunDone, steps.PacketSeen:
	}
}

func (t *autoText) note(text string) {
	if text != "" {
		fmt.Fprintln(t.out, text)
	}
}

// line prints a line of one end, named if there are two.
func (t *autoText) line(end steps.Role, text string) {
	if t.both && end != "" {
		text = t.say.ofEnd.With(t.say.roles[string(end)], text)
	}
	fmt.Fprintln(t.out, text)
}

// captured tells whether packets are captured, when that changes.
func (t *autoText) captured(d trace.Event) {
	before := t.capture.State
	t.capture, _ = d.(trace.Capture)
	if t.capture.State != before {
		fmt.Fprintln(t.out, t.say.captureText(t.capture))
	}
}

func (t *autoText) progress(p *steps.Progress) {
	if t.bar == nil || (t.both && p.Role == steps.Server) {
		return
	}
	t.bar.ChangeMax(p.Total)
	_ = t.bar.Set(p.Done) // a bar that cannot be drawn is no reason to stop
}

// figures prints the results. With both ends here the client's are enough: it
// is the one whose clock starts with the first message.
func (t *autoText) figures(f *steps.Figures) {
	if t.both && f.Role == steps.Server {
		return
	}
	if t.bar != nil {
		_ = t.bar.Finish()
		t.bar = nil
	}
	for _, line := range t.say.figures(f) {
		fmt.Fprintln(t.out, line)
	}
}

func (t *autoText) close(err error) error {
	if t.bar != nil {
		_ = t.bar.Finish()
	}
	if text := t.say.captureCount(t.capture); text != "" {
		fmt.Fprintln(t.out, text)
	}
	return errors.Join(err, t.out.err)
}

// figures are the figures of ibv_rc_pingpong, named for what they are, and
// the distribution it does not have.
func (w *wording) figures(f *steps.Figures) []string {
	rt := f.RoundTrip
	return []string{
		w.bytes.With(f.Bytes(), f.Elapsed.Seconds(), f.MbitPerSec()),
		w.trips.With(f.Iters, f.Elapsed.Seconds(), f.UsecPerIter()),
		w.spread.With(usec(rt.Min), usec(rt.Median), usec(rt.P99), usec(rt.P999), usec(rt.Max)),
	}
}

func usec(d time.Duration) string {
	return fmt.Sprintf("%.2f µs", float64(d)/float64(time.Microsecond))
}
