package wordstest

import (
	"maps"
	"testing"
)

// The values of a sentence are compared by their numbers, in whatever order it
// has them.
func TestVerbsOf(t *testing.T) {
	for format, want := range map[string]map[int]string{
		"no value, 100%% of it":            {},
		"%s takes %q":                      {1: "s", 2: "q"},
		"%[2]q 不带 %[1]s":                   {1: "s", 2: "q"},
		"byte %d is 0x%02x, %.2f of %[1]d": {1: "d", 2: "x", 3: "f"},
		"%w；%s":                            {1: "w", 2: "s"},
	} {
		if got := verbsOf(format); !maps.Equal(got, want) {
			t.Errorf("%q has %v, want %v", format, got, want)
		}
	}
}
