package annotations

import (
	"fmt"
	"strings"
)

// Kind says what a page or the target of a link is.
type Kind string

// The kinds of pages.
const (
	StepPage    Kind = "step"    // of one step of the tour
	ConceptPage Kind = "concept" // of an idea
	TermEntry   Kind = "term"    // an entry of the glossary
)

// Page is one text.
type Page struct {
	Kind  Kind
	ID    string
	Title string
	// Core is the text shown first, Markdown without headings. A step's core
	// fits a pane of 76 by 12 cells and has two paragraphs: one explains, one
	// tells where to look.
	Core     string
	Sections []Section
	Links    []Link   // to other pages, in order, each once
	Calls    []string // the C calls a step makes, such as ibv_modify_qp
}

// Section is a part of a page under its own heading.
type Section struct {
	// Key names the section in every language: one of SectionKeys on a step
	// page, its number from 1 on a concept page.
	Key      string
	Title    string
	Markdown string
}

// SectionKeys are the sections of every step page, in order.
var SectionKeys = []string{"user", "kernel", "adapter", "wrong", "program", "also"}

// sectionTitles are their headings.
var sectionTitles = map[string][]string{
	English: {"In user space", "In the kernel", "In the adapter", "What can go wrong", "In the C program", "See also"},
	Chinese: {"在用户空间", "在内核", "在适配器", "可能出什么错", "在 C 程序里", "另见"},
}

// Explanation returns the core of a step without its end.
func (p Page) Explanation() string {
	text, _, _ := strings.Cut(p.Core, "\n\n")
	return text
}

// Look returns the end of a step's core: where to look when the step is done.
func (p Page) Look() string {
	_, look, _ := strings.Cut(p.Core, "\n\n")
	return look
}

// Section returns the section with that key.
func (p Page) Section(key string) (Section, bool) {
	for _, s := range p.Sections {
		if s.Key == key {
			return s, true
		}
	}
	return Section{}, false
}

// Markdown returns the whole page as one document.
func (p Page) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", p.Title, p.Core)
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.Title, s.Markdown)
	}
	return b.String()
}

// parsePage reads a page: front matter, one title, the core, the sections.
func parsePage(kind Kind, id, lang, source string) (Page, map[string]string, error) {
	meta, body, err := splitFrontMatter(source)
	if err != nil {
		return Page{}, nil, err
	}
	parts := splitHeadings(body)
	if len(parts) < 2 || parts[0].text != "" || parts[1].level != 1 {
		return Page{}, nil, fmt.Errorf("begin the page with its title, a line such as # %s", id)
	}
	p := Page{Kind: kind, ID: id, Title: parts[1].heading, Core: parts[1].text, Calls: list(meta["calls"])}
	if p.Core == "" {
		return Page{}, nil, fmt.Errorf("write the core text below the title")
	}
	for i, part := range parts[2:] {
		s := Section{Key: fmt.Sprint(i + 1), Title: part.heading, Markdown: part.text}
		switch {
		case part.level != 2:
			return Page{}, nil, fmt.Errorf("make %q a heading of level 2: a page has one title", part.heading)
		case s.Markdown == "":
			return Page{}, nil, fmt.Errorf("write the section %q: it is empty", s.Title)
		}
		p.Sections = append(p.Sections, s)
	}
	if kind == StepPage {
		if err := p.checkSkeleton(lang); err != nil {
			return Page{}, nil, err
		}
	}
	p.Links, err = linksOf(p.Markdown())
	if err != nil {
		return Page{}, nil, err
	}
	return p, meta, checkPlaceholders(p.Markdown())
}

// checkSkeleton makes sure that a step page has the fixed sections, and gives
// them their keys.
func (p *Page) checkSkeleton(lang string) error {
	want := sectionTitles[lang]
	for i, title := range want {
		if i >= len(p.Sections) || p.Sections[i].Title != title {
			return fmt.Errorf("section %d must be ## %s: a step page has the sections %s, in this order",
				i+1, title, strings.Join(want, ", "))
		}
		p.Sections[i].Key = SectionKeys[i]
	}
	if n := len(p.Sections); n > len(want) {
		return fmt.Errorf("remove the section %q: a step page ends with %q", p.Sections[len(want)].Title, want[len(want)-1])
	}
	return nil
}

const fence = "---\n"

// splitFrontMatter takes the "key: value" lines between two lines of dashes
// off the start of a page.
func splitFrontMatter(source string) (meta map[string]string, body string, err error) {
	meta = map[string]string{}
	rest, ok := strings.CutPrefix(source, fence)
	if !ok {
		return meta, source, nil
	}
	head, body, ok := strings.Cut(rest, "\n"+fence)
	if !ok {
		return nil, "", fmt.Errorf("end the front matter with a line ---")
	}
	for line := range strings.Lines(head + "\n") {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			return nil, "", fmt.Errorf("front matter line %q is not key: value", strings.TrimSpace(line))
		}
		meta[key] = strings.TrimSpace(value)
	}
	return meta, body, nil
}

func list(value string) []string {
	var out []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// part is what stands below a heading of level 1 or 2; level 0 is what stands
// before the first one.
type part struct {
	level   int
	heading string
	text    string
}

func splitHeadings(body string) []part {
	parts := []part{{}}
	inCode := false
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		if level, heading := headingOf(line); level > 0 && !inCode {
			parts = append(parts, part{level: level, heading: heading})
			continue
		}
		parts[len(parts)-1].text += line
	}
	for i := range parts {
		parts[i].text = strings.TrimSpace(parts[i].text)
	}
	return parts
}

func headingOf(line string) (level int, heading string) {
	for level = 1; level <= 2; level++ {
		if h, ok := strings.CutPrefix(line, strings.Repeat("#", level)+" "); ok {
			return level, strings.TrimSpace(h)
		}
	}
	return 0, ""
}
