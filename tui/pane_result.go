package tui

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ibtour/steps"
)

// result draws the iterations at full speed: a progress bar while they run,
// then the figures and how the round trips are spread.
func (v *view) result(w, h int) []string {
	if f := v.figures(); f != nil && v.m.after {
		return v.figureLines(f, w, h)
	}
	p := v.progress()
	if p == nil {
		out := v.wrapped(v.s.soft, v.t.noFigures, w)
		return append(out, v.wrapped(v.s.text, fmt.Sprintf(v.t.fullSpeed, "r"), w)...)
	}
	bar, rest := gauge(uint64(p.Done), uint64(p.Total), min(w, 60))
	out := []string{
		v.s.now.of(bar) + v.s.faint.of(rest),
		fmt.Sprintf(v.t.iterating, p.Done, p.Total) + v.s.soft.of("  "+v.t.roundTrip+" "+v.t.median+" "+usec(p.RoundTrip.Median)),
		"",
	}
	return append(out, v.spreadOf(&p.RoundTrip, w)...)
}

// figures are the client's where both ends are here: its clock starts with
// the first message.
func (v *view) figures() *steps.Figures {
	for i := range v.h.visits {
		if fs := v.h.visits[i].figures; len(fs) > 0 {
			for _, f := range fs {
				if f.Role == steps.Client {
					return f
				}
			}
			return fs[0]
		}
	}
	return nil
}

func (v *view) progress() *steps.Progress {
	if p := v.h.reached[steps.Client]; p != nil {
		return p
	}
	return v.h.reached[steps.Server]
}

func (v *view) figureLines(f *steps.Figures, w, h int) []string {
	out := []string{
		v.s.strong.of(fmt.Sprintf("%.2f Mbit/s", f.MbitPerSec())) + "  " + v.s.soft.of(v.t.payload),
		v.s.strong.of(fmt.Sprintf("%.2f µs", f.UsecPerIter())) + "  " + v.s.soft.of(v.t.perTrip),
		v.s.soft.of(fmt.Sprintf("%d B × 2 · "+v.t.elapsed, f.Size, f.Iters, fmt.Sprintf("%.3f s", f.Elapsed.Seconds()))),
	}
	if h < stripH {
		rt := &f.RoundTrip
		return append(out[1:2:2], fit(fmt.Sprintf("%s  %s %s  p99 %s  %s %s", v.t.roundTrip,
			v.t.median, usec(rt.Median), usec(rt.P99), v.t.maximum, usec(rt.Max)), w))
	}
	out = append(out, "", v.s.strong.of(v.t.roundTrip))
	out = append(out, v.spreadOf(&f.RoundTrip, w)...)
	out = append(out, "")
	return append(out, v.wrapped(v.s.soft, v.t.resultNote, w)...)
}

// spreadOf draws the percentiles as bars on a logarithmic scale, from the
// shortest round trip to the longest.
func (v *view) spreadOf(rt *steps.RoundTrip, w int) []string {
	rows := []struct {
		name string
		d    time.Duration
	}{{v.t.minimum, rt.Min}, {v.t.median, rt.Median}, {v.t.p99, rt.P99}, {v.t.p999, rt.P999}, {v.t.maximum, rt.Max}}
	const nameW, valueW = 7, 12
	room := max(min(w-nameW-valueW-1, 60), 4)
	low, high := math.Log(float64(max(rt.Min, 1)))-0.5, math.Log(float64(max(rt.Max, 2)))
	var out []string
	for _, r := range rows {
		n := 1
		if high > low && r.d > 0 {
			n = max(int((math.Log(float64(r.d))-low)/(high-low)*float64(room)), 1)
		}
		out = append(out, v.s.soft.of(fit(r.name, nameW))+v.s.now.of(strings.Repeat("▆", min(n, room)))+
			strings.Repeat(" ", room-min(n, room))+fmt.Sprintf("%*s", valueW, usec(r.d)))
	}
	return out
}

func usec(d time.Duration) string { return fmt.Sprintf("%.2f µs", float64(d)/1e3) }
