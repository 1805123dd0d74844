package annotations

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"ibtour/steps"
	"ibtour/verbs"
)

// loaded loads each language once for all tests.
var loaded = map[string]func() (*Book, error){
	English: sync.OnceValues(func() (*Book, error) { return Load(English) }),
	Chinese: sync.OnceValues(func() (*Book, error) { return Load(Chinese) }),
}

func mustLoad(t *testing.T, lang string) *Book {
	t.Helper()
	b, err := loaded[lang]()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func titleOf(lang, key string) string { return sectionTitles[lang][slices.Index(SectionKeys, key)] }

// TestIDs makes sure that there is a page for every step of the tour, and for
// nothing else, in both languages.
func TestIDs(t *testing.T) {
	inTour := map[string]bool{}
	for _, s := range steps.RCPingPong.Steps {
		inTour[s.ID] = true
	}
	for _, lang := range Languages() {
		b := mustLoad(t, lang)
		for _, id := range slices.Sorted(maps.Keys(inTour)) {
			if _, ok := b.Step(id); !ok {
				t.Errorf("the tour has a step %s: write annotations/%s/%s.md", id, lang, id)
			}
		}
		for _, id := range b.StepIDs() {
			if !inTour[id] {
				t.Errorf("no step of the tour is called %s: rename or remove annotations/%s/%s.md", id, lang, id)
			}
		}
	}
}

// TestFilesKnown finds concept pages that the table of contents lacks.
func TestFilesKnown(t *testing.T) {
	for _, lang := range Languages() {
		entries, err := content.ReadDir(lang + "/concepts")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if id := strings.TrimSuffix(e.Name(), ".md"); !slices.Contains(concepts, id) {
				t.Errorf("annotations/%s/concepts/%s: add %q to concepts in content.go, or remove the file", lang, e.Name(), id)
			}
		}
	}
}

// TestSameShape makes sure that both languages say the same things in the same
// places: sections, explained errors, links and live values.
func TestSameShape(t *testing.T) {
	en, zh := mustLoad(t, English), mustLoad(t, Chinese)
	for _, p := range en.allPages() {
		q, ok := zh.Step(p.ID)
		if p.Kind == ConceptPage {
			q, ok = zh.Concept(p.ID)
		}
		if !ok {
			continue // TestIDs says so
		}
		same(t, p.ID, "sections", keys(p), keys(q))
		same(t, p.ID, "errnos and statuses explained", headsOf(p), headsOf(q))
		same(t, p.ID, "list items", items(p), items(q))
		same(t, p.ID, "links", targets(p.Links), targets(q.Links))
		same(t, p.ID, "live values", sorted(p.Placeholders()), sorted(q.Placeholders()))
	}
	for _, term := range en.Glossary() {
		other, ok := zh.Term(term.ID)
		if !ok {
			t.Errorf("glossary: the term %s is missing in zh/glossary.md: write it", term.ID)
			continue
		}
		same(t, "glossary, "+term.ID, "links", targets(term.Links), targets(other.Links))
	}
	if n, m := len(en.Glossary()), len(zh.Glossary()); n != m {
		t.Errorf("glossary: %d terms in English, %d in Chinese: make them the same terms", n, m)
	}
}

// TestTermsUsed makes sure that a reader can come upon every glossary entry.
func TestTermsUsed(t *testing.T) {
	for _, lang := range Languages() {
		b := mustLoad(t, lang)
		used := map[string]bool{}
		for _, p := range b.allPages() {
			for _, l := range p.Links {
				used[string(l.Kind)+":"+l.ID] = true
			}
		}
		for _, term := range b.Glossary() {
			if !used["term:"+term.ID] {
				t.Errorf("%s: no page links to the glossary entry %s: write [%s](term:%s) where it occurs first, or remove the entry",
					lang, term.ID, term.Names[0], term.ID)
			}
		}
	}
}

func same(t *testing.T, page, what string, en, zh []string) {
	t.Helper()
	if !slices.Equal(en, zh) {
		t.Errorf("%s: %s differ: make them the same\n  en: %v\n  zh: %v", page, what, en, zh)
	}
}

func keys(p Page) []string {
	var out []string
	for _, s := range p.Sections {
		out = append(out, s.Key)
	}
	return out
}

// items returns how many list items each section has.
func items(p Page) []string {
	var out []string
	for _, s := range p.Sections {
		out = append(out, fmt.Sprint(strings.Count("\n"+s.Markdown, "\n- ")))
	}
	return out
}

func targets(links []Link) []string {
	var out []string
	for _, l := range links {
		out = append(out, string(l.Kind)+":"+l.ID)
	}
	return sorted(out)
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

// TestPlaceholders makes sure that every live value is one the tour can give.
func TestPlaceholders(t *testing.T) {
	known := factNames()
	for _, lang := range Languages() {
		b := mustLoad(t, lang)
		for _, id := range b.StepIDs() {
			p, _ := b.Step(id)
			for _, name := range p.Placeholders() {
				if !known[name] {
					t.Errorf("%s/%s.md: {{%s}} is no fact of a snapshot: use a name of steps/facts.go", lang, id, name)
				}
			}
		}
		for _, p := range b.Concepts() {
			if names := p.Placeholders(); len(names) > 0 {
				t.Errorf("%s/concepts/%s.md: {{%s}}: a concept page is read without a run; leave live values to the steps", lang, p.ID, names[0])
			}
		}
	}
}

// factNames returns the names of everything that can be observed, those of an
// end also without its role.
func factNames() map[string]bool {
	var s steps.Snapshot
	populate(reflect.ValueOf(&s).Elem())
	s.Ends[0].Role = steps.Client
	s.Ends[0].QP.Attr.State = verbs.QPSRTS
	names := map[string]bool{}
	for _, f := range s.Facts() {
		names[f.Name] = true
		names[strings.TrimPrefix(f.Name, string(steps.Client)+".")] = true
	}
	return names
}

// populate gives every field a value that is not zero: a fact may be left out
// when there is none of something.
func populate(v reflect.Value) {
	switch k := v.Kind(); {
	case k == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		populate(v.Elem())
	case k == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				populate(v.Field(i))
			}
		}
	case k == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		populate(v.Index(0))
	case k == reflect.Bool:
		v.SetBool(true)
	case k == reflect.String:
		v.SetString("x")
	case v.CanInt():
		v.SetInt(1)
	case v.CanUint():
		v.SetUint(1)
	}
}

// sample fills the placeholders of a page with values as long as they get.
func sample(name string) (string, bool) {
	const gid = "2001:db8:1234:5678:9abc:def0:1234:5678"
	long := map[string]string{
		"gid.value": gid, "peer.gid": gid, "buffer.addr": "0x7f23d30c8000",
		"port.link_layer": "IBV_LINK_LAYER_INFINIBAND", "port.state": "IBV_PORT_ACTIVE",
		"mr.access": "IBV_ACCESS_LOCAL_WRITE", "device.name": "mlx5_bond_0",
		"process.pinned_bytes": "1073741824", "buffer.length": "1073741824",
	}
	if v, ok := long[name]; ok {
		return v, true
	}
	return "0x00000842", true
}

// TestCoreFits makes sure that a core text can be read without scrolling, on a
// screen of 80 by 24, and that a step's ends in something to do.
func TestCoreFits(t *testing.T) {
	for _, lang := range Languages() {
		for _, p := range mustLoad(t, lang).allPages() {
			if n := coreLines(p.Fill(sample).Core); n > paneLines {
				t.Errorf("%s, %s: the core text takes %d lines of %d cells: shorten it to %d lines", lang, p.ID, n, paneCells, paneLines)
			}
			paras := strings.Split(p.Core, "\n\n")
			if p.Kind == StepPage && len(paras) != 2 {
				t.Errorf("%s/%s.md: the core text has %d paragraphs: write one that explains and one, an imperative, that says where to look", lang, p.ID, len(paras))
			}
			if n := sentences(p.Core); p.Kind == StepPage && (n < 3 || n > 7) {
				t.Errorf("%s/%s.md: the core text has %d sentences: write 3 to 6, and the imperative", lang, p.ID, n)
			}
		}
	}
}

func sentences(s string) int {
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		n += strings.Count(line+" ", ". ") + strings.Count(line+" ", "? ") + strings.Count(line, "。") + strings.Count(line, "？")
	}
	return n
}

// TestComplete prints the table of what is there (go test -v): the length of
// each section in characters.
func TestComplete(t *testing.T) {
	var out strings.Builder
	fmt.Fprintf(&out, "\n%-22s", "")
	for _, lang := range Languages() {
		fmt.Fprintf(&out, " │ %-4s", lang)
		for _, key := range SectionKeys {
			fmt.Fprintf(&out, " %7s", key)
		}
	}
	seen := map[string]bool{}
	for _, s := range steps.RCPingPong.Steps {
		if seen[s.ID] {
			continue
		}
		seen[s.ID] = true
		fmt.Fprintf(&out, "\n%-22s", s.ID)
		for _, lang := range Languages() {
			p, _ := mustLoad(t, lang).Step(s.ID)
			fmt.Fprintf(&out, " │ %4d", utf8.RuneCountInString(p.Core))
			for _, key := range SectionKeys {
				section, ok := p.Section(key)
				if !ok {
					t.Errorf("%s/%s.md: write the section %q", lang, s.ID, titleOf(lang, key))
				}
				fmt.Fprintf(&out, " %7d", utf8.RuneCountInString(section.Markdown))
			}
		}
	}
	for _, lang := range Languages() {
		b := mustLoad(t, lang)
		fmt.Fprintf(&out, "\n%s: %d steps, %d concept pages, %d glossary entries", lang, len(b.StepIDs()), len(b.Concepts()), len(b.Glossary()))
	}
	t.Log(out.String())
}
