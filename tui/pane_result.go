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
		out = append(out, v.wrapped(v.s.text, fmt.Sprintf(v.t.fullSpeed, "r"), w)...)
		return append(out, v.wrapped(v.s.text, fmt.Sprintf(v.t.byHand, v.model.keys.Into.Help().Key), w)...)
	}
	bar, rest := gauge(uint64(p.Done), uint64(p.Total), min(w, 60))
	out := []string{
		v.s.now.of(bar) + v.s.faint.of(rest),
		fmt.Sprintf(v.t.iterating, p.Done, p.Total) + v.s.soft.of("  "+v.t.roundTrip+" "+v.t.median+" "+usec(p.RoundTrip.Median)),
		"",
	}
	out = append(out, v.spreadOf(&p.RoundTrip, w)...)
	out = append(out, v.histogram(&p.RoundTrip, w)...)
	if line := spark(v.h.medians, min(w-8, 60)); line != "" {
		out = append(out, "", v.s.soft.of(v.t.overTime), v.s.soft.of(line))
	}
	return out
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
	var out []string
	say := func(value, what string) {
		out = append(out, wrap(v.s.strong.of(value)+"  "+v.s.soft.of(what), w, 2)...)
	}
	say(fmt.Sprintf("%.2f µs", f.UsecPerIter()), v.t.perTrip)
	if h < stripH {
		rt := &f.RoundTrip
		return append(out[:1:1], fit(fmt.Sprintf("%s  %s %s  p99 %s  %s %s", v.t.roundTrip,
			v.t.median, usec(rt.Median), usec(rt.P99), v.t.maximum, usec(rt.Max)), w))
	}
	say(fmt.Sprintf("%.2f Mbit/s", f.MbitPerSec()), v.t.payload)
	say(fmt.Sprintf("%d B × 2", f.Size), fmt.Sprintf(v.t.elapsed, f.Iters, fmt.Sprintf("%.3f\u00a0s", f.Elapsed.Seconds())))
	out = append(out, "", v.s.strong.of(v.t.roundTrip))
	out = append(out, v.spreadOf(&f.RoundTrip, w)...)
	out = append(out, v.histogram(&f.RoundTrip, w)...)
	if line := spark(v.h.medians, min(w-8, 60)); line != "" {
		out = append(out, "", v.s.soft.of(v.t.overTime), v.s.soft.of(line))
	}
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
		out = append(out, v.s.soft.of(fit(r.name, nameW))+v.s.now.of(strings.Repeat("━", min(n, room)))+
			strings.Repeat(" ", room-min(n, room))+fmt.Sprintf("%*s", valueW, usec(r.d)))
	}
	return out
}

// spark draws values one after the other as small bars; where there are more
// than w, each bar stands for the mean of its neighbours.
func spark(values []float64, w int) string {
	const bars = "▁▂▃▄▅▆▇█"
	if len(values) < 2 || w < 2 {
		return ""
	}
	n := min(len(values), w)
	means := make([]float64, n)
	high := 0.0
	for i := range means {
		from, to := i*len(values)/n, (i+1)*len(values)/n
		for _, x := range values[from:to] {
			means[i] += x / float64(to-from)
		}
		high = max(high, means[i])
	}
	var b strings.Builder
	for _, x := range means {
		i := 0
		if high > 0 {
			i = int(x / high * 7)
		}
		b.WriteRune([]rune(bars)[min(max(i, 0), 7)])
	}
	return b.String()
}

func usec(d time.Duration) string { return fmt.Sprintf("%.2f µs", float64(d)/1e3) }
