package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibtour/annotations"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, line string
		w          int
		want       []string
	}{
		{"short", "one", 10, []string{"one"}},
		{"empty", "", 10, []string{""}},
		{"at a blank", "one two three", 8, []string{"one two", "three"}},
		{"a long word", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"Chinese", "内存区域属于保护域", 8, []string{"内存区域", "属于保护", "域"}},
		{"no comma first", "保护域，队列", 6, []string{"保护", "域，队", "列"}},
		{"no bracket last", "保护（域）队列", 6, []string{"保护", "（域）", "队列"}},
		{"mixed", "队列对 QP 就是", 9, []string{"队列对 QP", "就是"}},
		{"list item", "• one two three", 9, []string{"• one two", "  three"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := wrap(c.line, c.w, hangOf(c.line)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWrapKeepsStyle(t *testing.T) {
	got := wrap("\x1b[1mone two\x1b[0m three", 5, 0)
	want := []string{"\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[0m", "three"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPagesFit renders every page in both languages: no line is too wide, none
// begins with closing punctuation, no word is lost.
func TestPagesFit(t *testing.T) {
	for _, lang := range annotations.Languages() {
		m := testModel(t, lang)
		for _, id := range m.book().StepIDs() {
			p, _ := m.book().Step(id)
			for _, w := range []int{36, 70} {
				lines := m.md.page(p, w)
				for _, l := range lines {
					plain := ansi.Strip(l)
					if width(plain) > w {
						t.Errorf("%s/%s at %d: %q is %d cells wide", lang, id, w, plain, width(plain))
					}
					if text := []rune(strings.TrimLeft(plain, " ")); len(text) > 0 && strings.ContainsRune("，。；：）", text[0]) {
						t.Errorf("%s/%s at %d: %q begins with punctuation", lang, id, w, plain)
					}
				}
				if got, want := letters(ansi.Strip(strings.Join(lines, ""))), letters(shown(p)); got != want {
					t.Errorf("%s/%s at %d: text was lost or added", lang, id, w)
				}
			}
		}
	}
}

// shown is the text of a page without the marks of Markdown.
func shown(p annotations.Page) string {
	return strings.NewReplacer("## ", "", "\n- ", "\n").Replace(annotations.Plain(body(p)))
}

// body is a page without its title.
func body(p annotations.Page) string {
	var b strings.Builder
	b.WriteString(p.Core)
	for _, s := range p.Sections {
		b.WriteString("\n\n## " + s.Title + "\n\n" + s.Markdown)
	}
	return b.String()
}

// letters leaves out blanks, bullets and what Markdown escapes.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \n•\\`*_-", r) {
			return -1
		}
		return r
	}, s)
}
