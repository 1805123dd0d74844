package annotations

import (
	"cmp"
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
// of a completion status, a glossary word or a title in any language. If it is
// none of these, it may be any words of the texts, or a line that a program
// printed with the text of a status or a known word in it.
func (b *Book) Find(word string) []Hit {
	key := keyOf(word)
	if key == "" {
		return nil
	}
	if hits := b.index[key]; len(hits) > 0 {
		return slices.Clone(hits)
	}
	if hits := b.search(key); len(hits) > 0 {
		return hits
	}
	return slices.Clone(b.index[b.longestIn(key)])
}

// leastInLine is how long a name must be to be looked for in a line of output:
// shorter ones are in every line.
const leastInLine = 6

// longestIn returns the longest name of the index that stands in a line.
func (b *Book) longestIn(line string) string {
	best := ""
	for name := range b.index {
		longer := len(name) > len(best) || len(name) == len(best) && name < best
		if len(name) >= leastInLine && longer && strings.Contains(line, name) {
			best = name
		}
	}
	return best
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
// completion status, and what follows: "- **ENOMEM (12)**: …".
var (
	itemHead  = regexp.MustCompile(`(?m)^- \*\*([^*\n]+)\*\*[:：](.*)$`)
	headWords = regexp.MustCompile(`[A-Z][A-Z0-9_]+|[0-9]+`)
	// itemText is the text a library prints for a status, in quotes behind its head.
	itemText = regexp.MustCompile(`^ ?["“]([^"”]+)["”]`)
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
			if text := itemText.FindStringSubmatch(m[2]); text != nil {
				b.add(text[1], h)
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

// search looks through all texts, paragraph by paragraph. Those with the words
// in their title come first.
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
	for _, p := range b.allPages() {
		look(p.hit(), p.Title+"\n"+p.Core)
		for _, s := range p.Sections {
			h := p.hit()
			h.Section = s.Title
			look(h, s.Markdown)
		}
	}
	for _, t := range b.glossary {
		look(t.hit(), t.Title()+": "+t.Markdown)
	}
	inTitle := func(h Hit) int { return strings.Count(keyOf(h.Title), key) }
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(inTitle(b), inTitle(a)) })
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
