package steps

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Figures are the measurements of the iterations that ran at full speed. A
// round trip lasts from just before a message is posted until the peer's
// answer and the acknowledgement are polled.
type Figures struct {
	Role      Role          `json:"end"`
	Size      int           `json:"size_bytes"`
	Iters     int           `json:"iterations"` // round trips measured
	Elapsed   time.Duration `json:"elapsed_ns"` // from the first post to the last answer
	RoundTrip RoundTrip     `json:"round_trip_ns"`

	hist  *hdrhistogram.Histogram
	start int64 // first post on the loop's clock, 0 before it
	last  int64 // latest post
}

// RoundTrip is the distribution of the round trips. Min and Max are exact, the
// others to three digits.
type RoundTrip struct {
	Min    time.Duration `json:"min"`
	Median time.Duration `json:"median"`
	P99    time.Duration `json:"p99"`
	P999   time.Duration `json:"p99_9"`
	Max    time.Duration `json:"max"`
	// Buckets is the histogram: steps of equal ratio from Min to Max.
	Buckets []Bucket `json:"histogram,omitempty"`
}

// Bucket counts the round trips that took longer than the bucket before it
// reaches, and up to UpTo.
type Bucket struct {
	UpTo  time.Duration `json:"up_to"`
	Count int64         `json:"count"`
}

// The range of the histogram; longer round trips count as the longest.
const (
	shortest = int64(1)
	longest  = int64(time.Hour)
	digits   = 3
)

// buckets is how many buckets a histogram has: as many rows as a pane.
const buckets = 16

func newFigures(e *End) *Figures {
	return &Figures{Role: e.Role, Size: e.Opts.Size, hist: hdrhistogram.New(shortest, longest, digits)}
}

// posted takes note of the time just before a message was posted.
func (f *Figures) posted(at int64) {
	if f.start == 0 {
		f.start = at
	}
	f.last = at
}

// answered takes note of the time when the answer and the acknowledgement
// were there.
func (f *Figures) answered(at int64) {
	if f.last == 0 {
		return // a server's first receive answers nothing
	}
	d := min(max(at-f.last, shortest), longest)
	if err := f.hist.RecordValue(d); err != nil {
		return // d is in the range of the histogram
	}
	if f.Iters == 0 || time.Duration(d) < f.RoundTrip.Min {
		f.RoundTrip.Min = time.Duration(d)
	}
	f.RoundTrip.Max = max(f.RoundTrip.Max, time.Duration(d))
	f.Iters++
	f.Elapsed = time.Duration(at - f.start)
}

// summarise fills in the percentiles.
func (f *Figures) summarise() {
	if f.Iters == 0 {
		return
	}
	at := func(q float64) time.Duration {
		d := time.Duration(f.hist.ValueAtQuantile(q))
		return min(max(d, f.RoundTrip.Min), f.RoundTrip.Max)
	}
	f.RoundTrip.Median, f.RoundTrip.P99, f.RoundTrip.P999 = at(50), at(99), at(99.9)
	f.RoundTrip.Buckets = f.bucket()
}

// bucket sorts the round trips into the buckets.
func (f *Figures) bucket() []Bucket {
	lo, hi := float64(f.RoundTrip.Min), float64(f.RoundTrip.Max)
	if lo == hi {
		return []Bucket{{UpTo: f.RoundTrip.Max, Count: int64(f.Iters)}}
	}
	out := make([]Bucket, buckets)
	for i := range out {
		out[i].UpTo = time.Duration(lo * math.Pow(hi/lo, float64(i+1)/buckets))
	}
	out[buckets-1].UpTo = f.RoundTrip.Max
	i := 0
	for _, bar := range f.hist.Distribution() {
		for i < buckets-1 && time.Duration(bar.From) > out[i].UpTo {
			i++
		}
		out[i].Count += bar.Count
	}
	return out
}

// Bytes returns the payload bytes that travelled, both directions counted.
func (f *Figures) Bytes() int64 { return int64(f.Size) * int64(f.Iters) * 2 }

// MbitPerSec returns the payload rate in 10^6 bits a second, both directions
// counted, as ibv_rc_pingpong does.
func (f *Figures) MbitPerSec() float64 {
	if f.Elapsed == 0 {
		return 0
	}
	return float64(f.Bytes()) * 8 / f.Elapsed.Seconds() / 1e6
}

// UsecPerIter returns the mean round trip in microseconds.
func (f *Figures) UsecPerIter() float64 {
	if f.Iters == 0 {
		return 0
	}
	return f.Elapsed.Seconds() * 1e6 / float64(f.Iters)
}

// Progress tells how far the iterations are.
type Progress struct {
	Role      Role      `json:"end"`
	Done      int       `json:"done"`
	Total     int       `json:"total"`
	RoundTrip RoundTrip `json:"round_trip_ns"`
}
