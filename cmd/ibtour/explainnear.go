package main

import (
	"cmp"
	"slices"
	"strings"
)

// mostNear is how many names are offered.
const mostNear = 4

// nearest returns the names that are like a topic or like one of its words, the
// likest first.
func nearest(topic string, names []string) []string {
	type near struct {
		name string
		far  float64
	}
	var list []near
	words := append([]string{topic}, strings.Fields(topic)...)
	for _, name := range names {
		best := 1.0
		for _, w := range words {
			best = min(best, apart([]rune(spelled(w)), []rune(spelled(name))))
		}
		known := slices.ContainsFunc(list, func(n near) bool { return spelled(n.name) == spelled(name) })
		if best <= tooFar && !known {
			list = append(list, near{name, best})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var out []string
	for _, n := range list[:min(len(list), mostNear)] {
		out = append(out, n.name)
	}
	return out
}

// tooFar is the part of its letters that a name may have different.
const tooFar = 0.5

// spelled makes the spellings of a name one.
func spelled(name string) string {
	s := strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(name))
	return strings.TrimPrefix(s, "ibv ")
}

// apart returns how different two words are: the letters to be changed, added
// or removed (Levenshtein), as part of the longer one.
func apart(a, b []rune) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return float64(row[len(b)]) / float64(max(len(a), len(b)))
}
