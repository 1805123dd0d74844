package steps

import (
	"testing"
	"time"
)

// measured returns figures of round trips that took so many ns.
func measured(ns ...int64) *Figures {
	f := newFigures(&End{Role: Client, Opts: &Options{Size: 10}})
	now := int64(1000)
	for _, d := range ns {
		f.posted(now)
		now += d
		f.answered(now)
	}
	f.summarise()
	return f
}

func TestFigures(t *testing.T) {
	f := measured(100, 300, 200, 400, 1000)
	rt := f.RoundTrip
	want := RoundTrip{Min: 100, Median: 300, P99: 1000, P999: 1000, Max: 1000}
	if rt.Min != want.Min || rt.Median != want.Median || rt.P99 != want.P99 || rt.P999 != want.P999 || rt.Max != want.Max {
		t.Errorf("the distribution is %+v, want %+v", rt, want)
	}
	if f.Iters != 5 || f.Elapsed != 2000 || f.Bytes() != 100 {
		t.Errorf("%d round trips of %v and %d bytes, want 5 of 2µs and 100", f.Iters, f.Elapsed, f.Bytes())
	}
	if got := f.UsecPerIter(); got != 0.4 {
		t.Errorf("%v µs per round trip, want 0.4", got)
	}
	if got := f.MbitPerSec(); got != 400 {
		t.Errorf("%v Mbit/s, want 400: both directions count", got)
	}
}

// Every round trip is in one bucket, and the buckets grow to the maximum.
func TestHistogram(t *testing.T) {
	f := measured(100, 100, 150, 5000, 99999, 100000)
	total, last := int64(0), time.Duration(0)
	for _, b := range f.RoundTrip.Buckets {
		if b.UpTo <= last {
			t.Errorf("a bucket up to %v follows one up to %v", b.UpTo, last)
		}
		total, last = total+b.Count, b.UpTo
	}
	if total != 6 || last != 100000 {
		t.Errorf("the buckets hold %d round trips up to %v, want 6 up to 100µs", total, last)
	}
	if first := f.RoundTrip.Buckets[0]; first.Count != 3 {
		t.Errorf("the first bucket, up to %v, holds %d, want the 3 quickest", first.UpTo, first.Count)
	}
}

// A server's first receive answers nothing, and without a round trip there is
// nothing to divide by.
func TestFiguresOfNothing(t *testing.T) {
	f := newFigures(&End{Role: Server, Opts: &Options{Size: 10}})
	f.answered(5)
	f.summarise()
	if f.Iters != 0 || f.UsecPerIter() != 0 || f.MbitPerSec() != 0 || f.RoundTrip.Buckets != nil {
		t.Errorf("nothing was measured, and the figures are %+v", f)
	}
}
