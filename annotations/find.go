package annotations

import (
	"regexp"
	"slices"
	"strings"
)

// Hit is a place in the book where a word is explained.
type Hit struct {
	Kind    Kind
	ID      string
	Title   string // of the page or entry
	Section string // heading of the section it stands in, empty for the page as a whole
	Excerpt string // Markdown of the entry or paragraph
}

// index holds what can be looked up: verbs, errnos, completion statuses by
// name and number, and the names of terms and pages in all languages.
type index map[string][]Hit

// Find returns where a word is explained, the best place first. The word is a
// verb with or without ibv_, an errno such as EINVAL, the name or the number
// of a completion status, a glossary word or a title in any language; if it is
// none of these, any words of the texts are found, such as those of an error
// message.
func (b *Book) Find(word string) []Hit {
	key := keyOf(word)
	if key == "" {
		return nil
	}
	if hits := b.index[key]; len(hits) > 0 {
		return slices.Clone(hits)
	}
	return b.search(key)
}

// keyOf makes the spellings of a word one: case, blanks and the prefixes of
// the C names do not matter.
func keyOf(word string) string {
	key := strings.ToLower(strings.Join(strings.Fields(word), " "))
	key = strings.TrimSuffix(key, "()")
	key = strings.NewReplacer("-", " ", "_", " ").Replace(key)
	for _, prefix := range []string{"ibv wc ", "ibv qps ", "ibv "} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			return rest
		}
	}
	if key == "enotsup" {
		return "eopnotsupp" // the same number on Linux
	}
	return key
}

// makeIndex fills the index from the pages of this book and the names used in
// all.
func (b *Book) makeIndex(books map[string]*Book) {
	b.index = index{}
	for _, l := range Languages() {
		for _, t := range books[l].glossary {
			b.indexTerm(t)
		}
	}
	for _, id := range b.StepIDs() {
		p := b.steps[id]
		b.add(id, p.hit())
		for _, call := range p.Calls {
			b.add(call, p.hit())
		}
	}
	for _, l := range Languages() {
		for _, p := range books[l].concepts {
			b.indexConcept(p)
		}
	}
	for _, p := range b.concepts {
		b.indexItems(p)
	}
	for _, id := range b.StepIDs() {
		b.indexItems(b.steps[id])
	}
}

// indexTerm files an entry of this book under the names of any language.
func (b *Book) indexTerm(named Term) {
	t, ok := b.Term(named.ID)
	if !ok {
		return
	}
	for _, name := range append([]string{t.ID}, named.Names...) {
		b.add(name, t.hit())
	}
}

func (b *Book) indexConcept(named Page) {
	if p, ok := b.Concept(named.ID); ok {
		b.add(p.ID, p.hit())
		b.add(named.Title, p.hit())
	}
}

// itemHead is the bold beginning of a list item that explains an errno or a
// completion status: "- **ENOMEM (12)**: …".
var (
	itemHead  = regexp.MustCompile(`(?m)^- \*\*([^*\n]+)\*\*[:：].*$`)
	headWords = regexp.MustCompile(`[A-Z][A-Z0-9_]+|[0-9]+`)
)

// indexItems files the list items of a page under the names in their heads.
func (b *Book) indexItems(p Page) {
	for _, s := range p.Sections {
		for _, m := range itemHead.FindAllStringSubmatch(s.Markdown, -1) {
			h := p.hit()
			h.Section, h.Excerpt = s.Title, strings.TrimPrefix(m[0], "- ")
			for _, word := range headWords.FindAllString(m[1], -1) {
				b.add(word, h)
			}
		}
	}
}

func (b *Book) add(name string, h Hit) {
	key := keyOf(name)
	if !slices.Contains(b.index[key], h) {
		b.index[key] = append(b.index[key], h)
	}
}

func (p Page) hit() Hit {
	return Hit{Kind: p.Kind, ID: p.ID, Title: p.Title, Section: "", Excerpt: p.Core}
}

func (t Term) hit() Hit {
	return Hit{Kind: TermEntry, ID: t.ID, Title: t.Title(), Section: "", Excerpt: t.Markdown}
}

// search looks through all texts, paragraph by paragraph.
func (b *Book) search(key string) []Hit {
	var hits []Hit
	look := func(h Hit, text string) {
		for para := range strings.SplitSeq(text, "\n") {
			if strings.Contains(keyOf(para), key) {
				h.Excerpt = strings.TrimPrefix(para, "- ")
				hits = append(hits, h)
			}
		}
	}
	for _, t := range b.glossary {
		look(t.hit(), t.Title()+": "+t.Markdown)
	}
	for _, p := range b.allPages() {
		look(p.hit(), p.Title+"\n"+p.Core)
		for _, s := range p.Sections {
			h := p.hit()
			h.Section = s.Title
			look(h, s.Markdown)
		}
	}
	return hits
}

// allPages returns the concept pages and then the step pages.
func (b *Book) allPages() []Page {
	pages := b.Concepts()
	for _, id := range b.StepIDs() {
		pages = append(pages, b.steps[id])
	}
	return pages
}
