package render

import (
	"strings"

	"github.com/charmbracelet/glamour"
	"github.com/charmbracelet/glamour/ansi"
	"github.com/muesli/termenv"

	"ibtour/annotations"
	"ibtour/annotations/linebreak"
)

// Page draws a page with lines of at most width cells. The profile says which
// colours the reader can show; termenv.Ascii is none, and no escape sequences.
// A link to another page is drawn as its text.
func Page(markdown string, width int, profile termenv.Profile) (string, error) {
	style := coloured()
	if profile == termenv.Ascii {
		style = plain()
	}
	// A width of 0 leaves the lines whole.
	r, err := glamour.NewTermRenderer(
		glamour.WithStyles(style), glamour.WithWordWrap(0), glamour.WithColorProfile(profile))
	if err != nil {
		return "", err
	}
	// Glamour shows the text of a link within the page, and no address.
	text, err := r.Render(annotations.RewriteLinks(markdown, func(l annotations.Link) string {
		return "[" + l.Text + "](#" + string(l.Kind) + ":" + l.ID + ")"
	}))
	if err != nil {
		return "", err
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, linebreak.Lines(line, width)...)
	}
	return strings.Join(squeeze(out), "\n") + "\n", nil
}

// squeeze makes several empty lines one, and none at either end.
func squeeze(lines []string) []string {
	var out []string
	gap := false
	for _, l := range lines {
		if l == "" {
			gap = len(out) > 0
			continue
		}
		if gap {
			out = append(out, "")
			gap = false
		}
		out = append(out, l)
	}
	return out
}

// The colours are numbers of the 256, of middle brightness: each has a contrast
// of about 4 to 1 to black and to white alike.
const (
	blue   = "32"
	green  = "29"
	purple = "133"
)

// Margin is the left margin of a page in colours. Plain text has none.
const Margin = 2

// coloured is the look of a page on a terminal. It leaves the background alone.
func coloured() ansi.StyleConfig {
	c := plain()
	yes := true
	colour := func(s string) *string { return &s }
	c.Document.Margin = size(Margin)
	c.H1 = heading("", ansi.StylePrimitive{Bold: &yes, Color: colour(purple)})
	c.H2 = heading("", ansi.StylePrimitive{Bold: &yes, Color: colour(blue)})
	c.H3 = c.H2
	c.Strong = ansi.StylePrimitive{Bold: &yes}
	c.Emph = ansi.StylePrimitive{Italic: &yes}
	c.Item.BlockPrefix = "• "
	c.LinkText = ansi.StylePrimitive{Underline: &yes}
	c.Code.StylePrimitive = ansi.StylePrimitive{Color: colour(green)}
	c.CodeBlock.StylePrimitive = ansi.StylePrimitive{Color: colour(green)}
	return c
}

// plain is the look of a page in a file or for a screen reader: headings keep
// their marks, and code its quotes.
func plain() ansi.StyleConfig {
	bar := "│ "
	return ansi.StyleConfig{
		H1:          heading("# ", ansi.StylePrimitive{}),
		H2:          heading("## ", ansi.StylePrimitive{}),
		H3:          heading("### ", ansi.StylePrimitive{}),
		BlockQuote:  ansi.StyleBlock{Indent: size(1), IndentToken: &bar},
		List:        ansi.StyleList{LevelIndent: 2},
		Item:        ansi.StylePrimitive{BlockPrefix: "- "},
		Enumeration: ansi.StylePrimitive{BlockPrefix: ". "},
		Code:        ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: "`", Suffix: "`"}},
		CodeBlock:   ansi.StyleCodeBlock{StyleBlock: ansi.StyleBlock{Margin: size(Margin)}},
	}
}

func heading(mark string, style ansi.StylePrimitive) ansi.StyleBlock {
	style.BlockPrefix, style.BlockSuffix, style.Prefix = "\n", "\n", mark
	return ansi.StyleBlock{StylePrimitive: style}
}

func size(n uint) *uint { return &n }
