package tui

import (
	"fmt"
	"strings"

	"ibtour/steps"
)

// histogram draws how many round trips took how long: one row for each bucket,
// the longest bar for the fullest. Empty buckets at the end are there too: a
// single slow round trip is what the maximum is about.
func (v *view) histogram(rt *steps.RoundTrip, w int) []string {
	const labelW, countW = 14, 8
	room := int64(max(min(w-labelW-countW-1, 60), 4))
	most := int64(1)
	for _, b := range rt.Buckets {
		most = max(most, b.Count)
	}
	var out []string
	if len(rt.Buckets) > 0 {
		out = append(out, "")
	}
	for _, b := range rt.Buckets {
		bar := strings.Repeat("━", int((b.Count*room+most-1)/most))
		out = append(out, v.s.soft.of(fit("≤ "+usec(b.UpTo), labelW))+v.s.now.of(bar)+
			strings.Repeat(" ", int(room)-len([]rune(bar)))+fmt.Sprintf("%*d", countW, b.Count))
	}
	return out
}
