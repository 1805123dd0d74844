package annotations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// unknown stands for a live value that does not exist at the moment: its name.
func unknown(name string) string { return "‹" + name + "›" }

// A live value is written {{qp.num}}: the name of a fact of the end whose step
// it is, or of one that belongs to no end, such as kernel.qps.
var placeholder = regexp.MustCompile(`\{\{([a-z0-9_]+(?:\.[a-z0-9_]+)*)\}\}`)

// Fill returns the page with its live values in place. resolve returns the
// value of a name, and false if there is none at this moment: then it says
// which value comes there.
func (p Page) Fill(resolve func(name string) (string, bool)) Page {
	p.Core = fill(p.Core, resolve)
	p.Sections = slices.Clone(p.Sections)
	for i := range p.Sections {
		p.Sections[i].Markdown = fill(p.Sections[i].Markdown, resolve)
	}
	return p
}

func fill(text string, resolve func(string) (string, bool)) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		name := placeholderName(s)
		if v, ok := resolve(name); ok {
			return v
		}
		return unknown(name)
	})
}

func placeholderName(s string) string { return strings.Trim(s, "{}") }

// Blank returns the page with the names of its live values: no run is going on.
func (p Page) Blank() Page {
	return p.Fill(func(string) (string, bool) { return "", false })
}

// Within returns the page of a step without its call to look at a value, if
// has tells that this device can not have it.
func (p Page) Within(has func(name string) bool) Page {
	for _, s := range placeholder.FindAllString(p.Look(), -1) {
		if !has(placeholderName(s)) {
			p.Core = p.Explanation()
			break
		}
	}
	return p
}

// Placeholders returns the names of the live values of a page, each once.
func (p Page) Placeholders() []string {
	var names []string
	for _, s := range placeholder.FindAllString(p.Markdown(), -1) {
		if name := placeholderName(s); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func checkPlaceholders(markdown string) error {
	rest := placeholder.ReplaceAllString(markdown, "")
	for _, brace := range []string{"{{", "}}"} {
		if at := strings.Index(rest, brace); at >= 0 {
			return fmt.Errorf("%q is no live value: write it as {{name}}, such as {{qp.num}}", excerpt(rest[at:]))
		}
	}
	return nil
}

// excerpt returns the beginning of a text for an error message.
func excerpt(s string) string {
	const most = 24
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
