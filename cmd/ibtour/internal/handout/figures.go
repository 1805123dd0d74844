package handout

import (
	"fmt"
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

// distribution draws the histogram of the round trips, and then the percentiles.
func distribution(rt *steps.RoundTrip) []string {
	most := int64(1)
	for _, b := range rt.Buckets {
		most = max(most, b.Count)
	}
	var out []string
	for _, b := range rt.Buckets {
		bar := strings.Repeat("━", int((b.Count*barWidth+most-1)/most))
		out = append(out, strings.TrimRight(fmt.Sprintf("≤ %10.2f µs  %6d  %s", usec(b.UpTo), b.Count, bar), " "))
	}
	out = append(out, "")
	for _, e := range []struct {
		name string
		d    time.Duration
	}{{"min", rt.Min}, {"median", rt.Median}, {"p99", rt.P99}, {"p99.9", rt.P999}, {"max", rt.Max}} {
		out = append(out, fmt.Sprintf("%-7s %10.2f µs", e.name, usec(e.d)))
	}
	return out
}

func usec(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
