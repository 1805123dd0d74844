package annotations

import (
	"fmt"
	"regexp"
	"strings"
)

// Term is an entry of the glossary.
type Term struct {
	ID string
	// Names are what the term is called, the usual one first.
	Names    []string
	Markdown string
	Links    []Link
}

// Title returns the names in one line: "protection domain, PD".
func (t Term) Title() string { return strings.Join(t.Names, ", ") }

// termHeading is "pd: protection domain / PD".
var termHeading = regexp.MustCompile(`^([a-z0-9-]+): (.+)$`)

// parseGlossary reads the glossary: a title, then a heading and a paragraph
// for each term.
func parseGlossary(source string) ([]Term, map[string]string, error) {
	meta, body, err := splitFrontMatter(source)
	if err != nil {
		return nil, nil, err
	}
	parts := splitHeadings(body)
	if len(parts) < 2 || parts[1].level != 1 {
		return nil, nil, fmt.Errorf("begin the glossary with a title")
	}
	var terms []Term
	seen := map[string]bool{}
	for _, p := range parts[2:] {
		t, err := parseTerm(p)
		switch {
		case err != nil:
			return nil, nil, err
		case seen[t.ID]:
			return nil, nil, fmt.Errorf("term %s: there are two entries; leave one", t.ID)
		}
		seen[t.ID] = true
		terms = append(terms, t)
	}
	return terms, meta, checkPlaceholders(body)
}

func parseTerm(p part) (Term, error) {
	m := termHeading.FindStringSubmatch(p.heading)
	if m == nil || p.level != 2 {
		return Term{}, fmt.Errorf("heading %q: write it as ## id: name / other name", p.heading)
	}
	t := Term{ID: m[1], Markdown: p.text}
	for name := range strings.SplitSeq(m[2], " / ") {
		t.Names = append(t.Names, strings.TrimSpace(name))
	}
	if t.Markdown == "" {
		return Term{}, fmt.Errorf("term %s: write its entry below the heading", t.ID)
	}
	var err error
	if t.Links, err = linksOf(t.Markdown); err != nil {
		return Term{}, fmt.Errorf("term %s: %w", t.ID, err)
	}
	return t, nil
}
