package annotations

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The languages.
const (
	English = "en"
	Chinese = "zh"
)

// Languages returns every language there is, the one the texts are written in
// first.
func Languages() []string { return []string{English, Chinese} }

// Book holds all texts in one language.
type Book struct {
	lang     string
	steps    map[string]Page
	concepts []Page // in reading order
	glossary []Term
	index    index
}

// Load returns the texts in a language. It reads all languages, since each can
// be searched for a word of the other. The errors name the file and what to do.
func Load(lang string) (*Book, error) {
	if !slices.Contains(Languages(), lang) {
		return nil, fmt.Errorf("there are no texts in %q: the languages are %s", lang, strings.Join(Languages(), ", "))
	}
	return load(content, lang)
}

func load(files fs.FS, lang string) (*Book, error) {
	var errs []error
	books := map[string]*Book{}
	for _, l := range Languages() {
		b, err := read(files, l)
		if err != nil {
			errs = append(errs, err)
		}
		books[l] = b
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	b := books[lang]
	b.takeCalls(books[English])
	b.makeIndex(books)
	return b, nil
}

// read reads one language.
func read(files fs.FS, lang string) (*Book, error) {
	b := &Book{lang: lang, steps: map[string]Page{}}
	errs := []error{b.readSteps(files), b.readConcepts(files), b.readGlossary(files)}
	if err := errors.Join(errs...); err != nil {
		return b, err
	}
	return b, b.checkLinks()
}

func (b *Book) readSteps(files fs.FS) error {
	names, err := fs.Glob(files, b.lang+"/*.md")
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		if path.Base(name) == glossaryFile {
			continue
		}
		p, err := b.readPage(files, StepPage, name)
		if err != nil {
			errs = append(errs, err)
		}
		b.steps[p.ID] = p
	}
	return errors.Join(errs...)
}

func (b *Book) readConcepts(files fs.FS) error {
	var errs []error
	for _, id := range concepts {
		p, err := b.readPage(files, ConceptPage, b.lang+"/concepts/"+id+".md")
		if err != nil {
			errs = append(errs, err)
		}
		b.concepts = append(b.concepts, p)
	}
	return errors.Join(errs...)
}

func (b *Book) readPage(files fs.FS, kind Kind, name string) (Page, error) {
	id := strings.TrimSuffix(path.Base(name), ".md")
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return Page{ID: id}, err
	}
	p, _, err := parsePage(kind, id, b.lang, string(source))
	if err != nil {
		return Page{ID: id}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

const glossaryFile = "glossary.md"

func (b *Book) readGlossary(files fs.FS) error {
	name := b.lang + "/" + glossaryFile
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	b.glossary, _, err = parseGlossary(string(source))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// checkLinks makes sure that every link leads somewhere.
func (b *Book) checkLinks() error {
	var errs []error
	check := func(from string, links []Link) {
		for _, l := range links {
			if _, ok := b.Open(l.Kind, l.ID); !ok {
				errs = append(errs, fmt.Errorf("%s: the link (%s:%s) leads nowhere: correct it, or write that page or entry",
					from, l.Kind, l.ID))
			}
		}
	}
	for _, id := range b.StepIDs() {
		check(b.lang+"/"+id+".md", b.steps[id].Links)
	}
	for _, p := range b.concepts {
		check(b.lang+"/concepts/"+p.ID+".md", p.Links)
	}
	for _, t := range b.glossary {
		check(b.lang+"/"+glossaryFile+", "+t.ID, t.Links)
	}
	return errors.Join(errs...)
}

// takeCalls copies what only the English pages tell: the calls of a step.
func (b *Book) takeCalls(from *Book) {
	for id, p := range b.steps {
		p.Calls = from.steps[id].Calls
		b.steps[id] = p
	}
}

// Lang returns the language of the book.
func (b *Book) Lang() string { return b.lang }

// Step returns the page of a step.
func (b *Book) Step(id string) (Page, bool) {
	p, ok := b.steps[id]
	return p, ok
}

// StepIDs returns the steps that have a page, in alphabetical order. Their
// order in a run is the tour's business.
func (b *Book) StepIDs() []string {
	ids := make([]string, 0, len(b.steps))
	for id := range b.steps {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Concept returns a concept page.
func (b *Book) Concept(id string) (Page, bool) {
	for _, p := range b.concepts {
		if p.ID == id {
			return p, true
		}
	}
	return Page{}, false
}

// Open returns the page that a link or a hit leads to. An entry of the glossary
// is a page without sections.
func (b *Book) Open(kind Kind, id string) (Page, bool) {
	switch kind {
	case StepPage:
		return b.Step(id)
	case ConceptPage:
		return b.Concept(id)
	case TermEntry:
	}
	t, ok := b.Term(id)
	return Page{Kind: TermEntry, ID: t.ID, Title: t.Title(), Core: t.Markdown, Links: t.Links}, ok && kind == TermEntry
}

// Concepts returns the concept pages in the order in which to read them.
func (b *Book) Concepts() []Page { return slices.Clone(b.concepts) }

// Term returns an entry of the glossary.
func (b *Book) Term(id string) (Term, bool) {
	for _, t := range b.glossary {
		if t.ID == id {
			return t, true
		}
	}
	return Term{}, false
}

// Glossary returns the glossary, in the order of its file.
func (b *Book) Glossary() []Term { return slices.Clone(b.glossary) }
