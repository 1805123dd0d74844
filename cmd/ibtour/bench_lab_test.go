//go:build lab

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// pairs is how often the two programs take turns, and benchIters for how many
// round trips; IBTOUR_BENCH_PAIRS and IBTOUR_BENCH_ITERS change them. One run is short: long ones on two emulated processors have fits of
// tenfold slowness, the original's as well.
const (
	pairs      = 9
	benchIters = 8000
)

// BenchmarkAgainstTheOriginal runs ibtour auto between two processes and
// ibv_rc_pingpong between two processes in alternation, and reports the
// client's mean round trip of both and their ratio: of the medians, of the
// minima, and the median of the ratios pair by pair.
func BenchmarkAgainstTheOriginal(b *testing.B) {
	for _, events := range []bool{false, true} {
		for _, size := range []int{64, 4096} {
			name := fmt.Sprintf("%dB-polling", size)
			if events {
				name = fmt.Sprintf("%dB-events", size)
			}
			b.Run(name, func(b *testing.B) {
				iters := number(b, "IBTOUR_BENCH_ITERS", benchIters)
				s := shape{size: size, iters: iters, depth: 500, gid: 1, events: events}
				for range b.N {
					compare(b, s)
				}
			})
		}
	}
}

// BenchmarkSoft0 compares the client on soft0, over the veth, with the client on
// rxe0; the server is the same: ibtour on rxe0. It reports the mean round trip of
// the runs, and beside it the median of a run's round trips: with two
// processors for a server that polls, a client that sleeps and the kernel's own
// work, a few round trips wait for the scheduler and make most of the mean.
func BenchmarkSoft0(b *testing.B) {
	for _, size := range []int{64, 4096} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			s := shape{size: size, iters: benchIters, depth: 500, gid: 1}
			onSoft0 := append(inPeer(ibtour, "auto", "--json", "-d", "soft0", "-g", "0", "10.0.0.1"),
				"-s", strconv.Itoa(size), "-n", strconv.Itoa(benchIters))
			onRXE := roleArgs(ibtour, s.args(), "10.0.0.1")
			for range b.N {
				var soft, rxe runs
				for range number(b, "IBTOUR_BENCH_PAIRS", pairs) {
					soft.add(against(b, s, onSoft0[0], onSoft0[1:]...))
					rxe.add(against(b, s, ibtour, onRXE...))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(median(soft.means), "soft0-mean-µs")
				b.ReportMetric(median(rxe.means), "rxe0-mean-µs")
				b.ReportMetric(median(soft.means)/median(rxe.means), "ratio-of-means")
				b.ReportMetric(median(soft.medians), "soft0-median-µs")
				b.ReportMetric(median(rxe.medians), "rxe0-median-µs")
				b.ReportMetric(median(soft.medians)/median(rxe.medians), "ratio-of-medians")
			}
		})
	}
}

// runs are the mean and the median round trips of some runs, in µs.
type runs struct{ means, medians []float64 }

func (r *runs) add(mean, median float64) {
	r.means, r.medians = append(r.means, mean), append(r.medians, median)
}

// against runs a client of ibtour against its server on rxe0 and returns the
// mean and the median round trip in µs.
func against(b *testing.B, s shape, name string, args ...string) (mean, median float64) {
	b.Helper()
	server := start(b, ibtour, roleArgs(ibtour, s.args(), "--server")...)
	listening(b, 18515)
	client := start(b, name, args...)
	client.succeed(b)
	server.succeed(b)
	return reported(b, client)
}

func compare(b *testing.B, s shape) {
	b.Helper()
	var ours, theirs, ratios []float64
	for i := range number(b, "IBTOUR_BENCH_PAIRS", pairs) {
		o, c := 0.0, 0.0
		if i%2 == 0 { // neither is always the first
			o, c = meanRoundTrip(b, ibtour, s), meanRoundTrip(b, stock, s)
		} else {
			c, o = meanRoundTrip(b, stock, s), meanRoundTrip(b, ibtour, s)
		}
		ours, theirs, ratios = append(ours, o), append(theirs, c), append(ratios, o/c)
	}
	b.ReportMetric(0, "ns/op") // means nothing here: not printed
	b.ReportMetric(median(theirs), "original-µs")
	b.ReportMetric(median(ours), "ibtour-µs")
	b.ReportMetric(median(ours)/median(theirs), "ratio-of-medians")
	b.ReportMetric(slices.Min(ours)/slices.Min(theirs), "ratio-of-minima")
	b.ReportMetric(median(ratios), "median-ratio")
	b.Logf("ratios pair by pair: %.2f", ratios)
}

// number returns a number from the environment, or the one to use without it.
func number(b *testing.B, name string, without int) int {
	text := os.Getenv(name)
	if text == "" {
		return without
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("%s=%q is no number above 0", name, text)
	}
	return n
}

var stockFigure = regexp.MustCompile(`= ([0-9.]+) usec/iter`)

// meanRoundTrip runs a program between two processes and returns what its
// client reports, in µs.
func meanRoundTrip(b *testing.B, program string, s shape) float64 {
	b.Helper()
	server := start(b, program, roleArgs(program, s.args(), "--server")...)
	listening(b, 18515)
	client := start(b, program, roleArgs(program, s.args(), "10.0.0.1")...)
	client.succeed(b)
	server.succeed(b)
	if program == ibtour {
		mean, _ := reported(b, client)
		return mean
	}
	m := stockFigure.FindStringSubmatch(client.out.String())
	if m == nil {
		b.Fatalf("the original prints\n%s", client.out.String())
	}
	us, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		b.Fatal(err)
	}
	return us
}

// reported returns the mean and the median round trip that auto --json reports,
// in µs.
func reported(b *testing.B, p *proc) (mean, median float64) {
	b.Helper()
	var doc struct {
		Ends []struct {
			Figures struct {
				Usec      float64 `json:"usec_per_round_trip"`
				RoundTrip struct {
					Median float64 `json:"median"` // ns
				} `json:"round_trip_ns"`
			} `json:"figures"`
		} `json:"ends"`
	}
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		b.Fatal(err)
	}
	f := doc.Ends[0].Figures
	return f.Usec, f.RoundTrip.Median / 1000
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
