package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"ibtour/annotations"
)

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
