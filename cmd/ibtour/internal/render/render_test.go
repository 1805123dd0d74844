package render_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"ibtour/annotations"
	"ibtour/cmd/ibtour/internal/render"
)

func Example() {
	text, err := render.Page("# 保护域\n\n没有它，什么都建不了。", 16, termenv.Ascii)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(text)
	// Output:
	// # 保护域
	//
	// 没有它，什么都建
	// 不了。
}

// TestPages makes sure that every page keeps to the width, and to the rules of
// Chinese for the beginning of a line.
func TestPages(t *testing.T) {
	for _, lang := range annotations.Languages() {
		book, err := annotations.Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages(book) {
			for _, width := range []int{80, 120} {
				for _, profile := range []termenv.Profile{termenv.Ascii, termenv.ANSI256} {
					text, err := render.Page(p.Markdown(), width, profile)
					if err != nil {
						t.Fatal(err)
					}
					checkLines(t, lang+"/"+p.ID, text, width)
					if profile == termenv.Ascii && strings.ContainsRune(text, '\x1b') {
						t.Errorf("%s/%s has escape sequences without colours", lang, p.ID)
					}
				}
			}
		}
	}
}

func pages(b *annotations.Book) []annotations.Page {
	list := b.Concepts()
	for _, id := range b.StepIDs() {
		p, _ := b.Step(id)
		list = append(list, p)
	}
	for _, term := range b.Glossary() {
		p, _ := b.Open(annotations.TermEntry, term.ID)
		list = append(list, p)
	}
	return list
}

func checkLines(t *testing.T, what, text string, width int) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		plain := strings.TrimSpace(ansi.Strip(line))
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("%s at %d: %d cells: %q", what, width, w, plain)
		}
		if first, _ := utf8.DecodeRuneInString(plain); strings.ContainsRune("，。、；：？！）》”…", first) {
			t.Errorf("%s at %d begins with closing punctuation: %q", what, width, plain)
		}
	}
}

func TestNothingIsLost(t *testing.T) {
	book, err := annotations.Load(annotations.Chinese)
	if err != nil {
		t.Fatal(err)
	}
	squash := strings.NewReplacer(" ", "", "\n", "", "#", "", "│", "").Replace
	for _, p := range pages(book) {
		narrow, err := render.Page(p.Core, 40, termenv.ANSI256)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := render.Page(p.Core, 100000, termenv.ANSI256)
		if err != nil {
			t.Fatal(err)
		}
		if squash(ansi.Strip(narrow)) != squash(ansi.Strip(whole)) {
			t.Errorf("%s: wrapping changed the text:\n%s\n%s", p.ID, narrow, whole)
		}
	}
}
