package annotations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Link leads from one page to another. In a text it is written
// [memory region](term:mr), [RTR](step:qp_rtr) or [keys](concept:keys).
type Link struct {
	Text string
	Kind Kind
	ID   string
}

var (
	linkForm = regexp.MustCompile(`\[([^\][]*)\]\(([a-z]+):([a-z0-9_-]+)\)`)
	// anyLink also finds what was meant to be a link and is none.
	anyLink = regexp.MustCompile(`\[[^\][]*\]\([^)]*\)`)
)

// RewriteLinks replaces every link to another page, for a reader that shows
// them in its own way.
func RewriteLinks(markdown string, as func(Link) string) string {
	return linkForm.ReplaceAllStringFunc(markdown, func(s string) string { return as(parseLink(s)) })
}

// Plain returns a text as it is read aloud: links by their text, no marks of
// bold and code.
func Plain(markdown string) string {
	text := RewriteLinks(markdown, func(l Link) string { return l.Text })
	return strings.NewReplacer("**", "", "`", "").Replace(text)
}

func parseLink(s string) Link {
	m := linkForm.FindStringSubmatch(s)
	return Link{Text: m[1], Kind: Kind(m[2]), ID: m[3]}
}

// linksOf returns the links of a text, each target once.
func linksOf(markdown string) ([]Link, error) {
	var links []Link
	for _, s := range anyLink.FindAllString(markdown, -1) {
		if linkForm.FindString(s) != s {
			return nil, fmt.Errorf("link %s: write it as [text](step:ID), [text](concept:ID) or [text](term:ID)", s)
		}
		l := parseLink(s)
		if l.Text == "" {
			return nil, fmt.Errorf("link %s: write the text to be shown between the brackets", s)
		}
		if !slices.ContainsFunc(links, func(o Link) bool { return o.Kind == l.Kind && o.ID == l.ID }) {
			links = append(links, l)
		}
	}
	return links, nil
}
