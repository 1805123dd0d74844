package main

import (
	"regexp"
	"slices"
	"strings"

	"ibtour/annotations"
)

// manualSection is the end of the name of a manual page: ibv_reg_mr(3).
var manualSection = regexp.MustCompile(`\([0-9]\)$`)

// find returns where a topic is explained, the best place first. The page of
// that very name comes before all others, a step before a concept before a word
// of the glossary. A page can also be asked for by its full name: concept:mtu.
func (e *explain) find(topic string) []annotations.Hit {
	if kind, id, ok := strings.Cut(topic, ":"); ok {
		if p, ok := e.book.Open(annotations.Kind(kind), id); ok {
			return []annotations.Hit{hitOf(p)}
		}
	}
	topic = manualSection.ReplaceAllString(topic, "")
	hits := e.book.Find(topic)
	name := strings.TrimPrefix(strings.ToLower(topic), "ibv_")
	for _, kind := range []annotations.Kind{annotations.StepPage, annotations.ConceptPage} {
		if p, ok := e.book.Open(kind, name); ok {
			return append([]annotations.Hit{hitOf(p)}, hits...)
		}
	}
	return hits
}

// hitOf is the page as a whole.
func hitOf(p annotations.Page) annotations.Hit {
	return annotations.Hit{Kind: p.Kind, ID: p.ID, Title: p.Title}
}

// entry is a page as a line of a list: the shortest name it is found by.
func (e *explain) entry(p annotations.Page) entry {
	hits := e.find(p.ID)
	if len(hits) > 0 && hits[0].Kind == p.Kind && hits[0].ID == p.ID {
		return entry{p.ID, p.Title}
	}
	return entry{string(p.Kind) + ":" + p.ID, p.Title}
}

// findPart looks for a part of a line that is not explained as a whole: for the
// longest run of its words that is in the texts, and then for a word that is a
// name with capitals, such as MR; others are in every line. It returns the part.
func (e *explain) findPart(line string) ([]annotations.Hit, string) {
	words := strings.Fields(line)
	for n := len(words) - 1; n > 1; n-- {
		for from := 0; from+n <= len(words); from++ {
			part := trimmed(strings.Join(words[from:from+n], " "))
			if len(part) < leastPart {
				continue
			}
			if hits := withWords(e.find(part), part); len(hits) > 0 {
				return hits, part
			}
		}
	}
	names := e.names()
	for _, w := range words {
		w = trimmed(w)
		known := slices.ContainsFunc(names, func(name string) bool { return spelled(name) == spelled(w) })
		if hits := e.find(w); known && len(hits) > 0 && w != strings.ToLower(w) && w != line {
			return hits, w
		}
	}
	return nil, ""
}

// withWords returns the places that have the words as such, and not as the end
// of a longer word.
func withWords(hits []annotations.Hit, words string) []annotations.Hit {
	form, err := regexp.Compile(`(?i)(?:^|[^a-z])` + regexp.QuoteMeta(words))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(hits, func(h annotations.Hit) bool { return !form.MatchString(h.Excerpt) })
}

// leastPart is how long a part of a line must be to mean something.
const leastPart = 9

// trimmed is a part of a line without the punctuation around it.
func trimmed(s string) string { return strings.Trim(s, " .,:;!?\"'()") }
