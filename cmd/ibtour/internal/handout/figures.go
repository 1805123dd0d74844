package handout

import (
	"fmt"
	"math"
	"strings"
	"time"

	"ibtour/steps"
)

// figures writes the measurements of each end.
func (d *Document) figures() {
	if len(d.run.Figures) == 0 {
		return
	}
	t := d.text
	d.heading(2, "figures", t.figures)
	d.write("%s", t.figuresWhat)
	for _, f := range d.run.Figures {
		d.write("### %s", t.end(f.Role))
		var b strings.Builder
		fmt.Fprintf(&b, "| | |\n|---|---:|\n")
		fmt.Fprintf(&b, "| %s | %d |\n", t.roundTrips, f.Iters)
		fmt.Fprintf(&b, "| %s | %d |\n", t.payloadBytes, f.Bytes())
		fmt.Fprintf(&b, "| %s | %s |\n", t.elapsed, duration(f.Elapsed))
		fmt.Fprintf(&b, "| %s | %.2f Mbit/s |\n", t.rate, f.MbitPerSec())
		fmt.Fprintf(&b, "| %s | %.2f µs |\n", t.mean, f.UsecPerIter())
		d.write("%s", b.String())
		d.write("%s", t.distribution)
		d.write("```\n%s\n```", strings.Join(distribution(&f.RoundTrip), "\n"))
	}
}

// barWidth is the length of the longest bar in cells.
const barWidth = 44

// distribution draws how long a round trip took: the bars are on a logarithmic
// scale that begins at half the shortest, since the longest may be a hundred
// times as long.
func distribution(rt *steps.RoundTrip) []string {
	list := []struct {
		name string
		d    time.Duration
	}{{"min", rt.Min}, {"median", rt.Median}, {"p99", rt.P99}, {"p99.9", rt.P999}, {"max", rt.Max}}
	var out []string
	for _, e := range list {
		part := 1.0
		if rt.Max > rt.Min && rt.Min > 0 {
			low := float64(rt.Min) / 2
			part = math.Log(float64(e.d)/low) / math.Log(float64(rt.Max)/low)
		}
		bar := strings.Repeat("━", max(1, int(part*barWidth+0.5)))
		out = append(out, fmt.Sprintf("%-7s %10.2f µs  %s", e.name, float64(e.d)/float64(time.Microsecond), bar))
	}
	return out
}
