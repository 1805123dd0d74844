package main

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"ibtour/annotations"
	"ibtour/annotations/linebreak"
	"ibtour/steps"
)

// entry is a topic of a list.
type entry struct{ name, title string }

// list returns all topics.
func (e *explain) list() string {
	var b strings.Builder
	e.columns(&b, e.text.steps, e.stepEntries())
	var concepts, terms []entry
	for _, p := range e.book.Concepts() {
		concepts = append(concepts, e.entry(p))
	}
	for _, t := range e.book.Glossary() {
		p, _ := e.book.Open(annotations.TermEntry, t.ID)
		terms = append(terms, entry{e.entry(p).name, otherThan(t.ID, t.Names)})
	}
	e.columns(&b, e.text.concepts, concepts)
	e.columns(&b, e.text.glossary, terms)
	e.paragraph(&b, e.text.use)
	return strings.TrimPrefix(b.String(), "\n")
}

// otherThan returns the first name that says more than the id does.
func otherThan(id string, names []string) string {
	for _, n := range names {
		if !strings.EqualFold(n, id) && !strings.EqualFold(n, strings.ReplaceAll(id, "-", " ")) {
			return n
		}
	}
	return ""
}

// stepEntries returns the steps in the order of the tour, each once.
func (e *explain) stepEntries() []entry {
	var out []entry
	seen := map[string]bool{}
	for _, s := range steps.RCPingPong.Steps {
		p, ok := e.book.Step(s.ID)
		if ok && !seen[s.ID] {
			out = append(out, e.entry(p))
		}
		seen[s.ID] = true
	}
	return out
}

// mostEntries is how many entries a list below a page has.
const mostEntries = 12

// entries writes a short list with its heading, unless it is empty.
func (e *explain) entries(b *strings.Builder, heading string, list []entry) {
	more := len(list) - mostEntries
	if more > 0 {
		list = list[:mostEntries]
	}
	if len(list) > 0 {
		e.columns(b, heading, list)
	}
	if more > 0 {
		e.line(b, fmt.Sprintf(e.text.more, more))
	}
}

// gutter is what lies between two columns, and left of the first.
const gutter = 2

// columns writes entries below each other in as many columns as the screen has
// room for.
func (e *explain) columns(b *strings.Builder, heading string, list []entry) {
	name, title := 0, 0
	for _, n := range list {
		name = max(name, ansi.StringWidth(n.name))
		title = max(title, ansi.StringWidth(n.title))
	}
	width := gutter + name + gutter + title
	count := min(max(1, (e.screen-e.margin())/width), len(list))
	rows := (len(list) + count - 1) / count
	margin := strings.Repeat(" ", e.margin())
	fmt.Fprintf(b, "\n%s%s\n", margin, e.styled(heading, "32", true))
	for row := range rows {
		line := margin
		for at := row; at < len(list); at += rows {
			line += strings.Repeat(" ", len(margin)+width*(at/rows)-ansi.StringWidth(line)+gutter)
			line += e.styled(list[at].name, "29", false)
			line += strings.Repeat(" ", name-ansi.StringWidth(list[at].name)+gutter) + list[at].title
		}
		b.WriteString(ansi.Truncate(strings.TrimRight(line, " "), e.screen, "…") + "\n")
	}
}

// paragraph writes a text behind an empty line.
func (e *explain) paragraph(b *strings.Builder, text string) {
	b.WriteByte('\n')
	e.line(b, text)
}

func (e *explain) line(b *strings.Builder, text string) {
	for _, l := range linebreak.Lines(strings.Repeat(" ", e.margin())+text, e.width) {
		b.WriteString(l + "\n")
	}
}

func (e *explain) styled(text, colour string, bold bool) string {
	if e.profile == termenv.Ascii {
		return text
	}
	s := e.profile.String(text).Foreground(e.profile.Color(colour))
	if bold {
		s = s.Bold()
	}
	return s.String()
}

// nothing is the answer to a topic nobody explains: the names that are like it.
func (e *explain) nothing(topic string) error {
	text := fmt.Sprintf(e.text.nothing, ansi.Truncate(topic, usualWidth, "…"))
	if near := nearest(topic, e.names()); len(near) > 0 {
		text += e.app.say().semicolon + fmt.Sprintf(e.text.near, strings.Join(near, ", "))
	}
	return fmt.Errorf("%s%s%s", text, e.app.say().semicolon, e.text.lists)
}

// names returns every name of a page or an entry, in both languages.
func (e *explain) names() []string {
	var out []string
	for _, b := range []*annotations.Book{e.book, e.other} {
		for _, id := range b.StepIDs() {
			p, _ := b.Step(id)
			out = append(append(out, id), p.Calls...)
		}
		for _, p := range b.Concepts() {
			out = append(out, p.ID, p.Title)
		}
		for _, t := range b.Glossary() {
			out = append(append(out, t.ID), t.Names...)
		}
	}
	return out
}
