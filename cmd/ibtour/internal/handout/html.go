package handout

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

//go:embed style.css
var style string

//go:embed page.html
var pageSource string

var page = template.Must(template.New("page").Parse(pageSource))

// entry is a line of the table of contents, with those below it.
type entry struct {
	Anchor, Title string
	Below         []entry
}

// HTML returns the document as one page of HTML that needs nothing else.
func (d *Document) HTML() (string, error) {
	lead, err := toHTML(d.lead)
	if err != nil {
		return "", err
	}
	body, err := toHTML(d.body.String())
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = page.Execute(&b, map[string]any{
		"Lang": htmlLang[d.book.Lang()], "Title": d.title, "Contents": d.text.contents, "Entries": d.entries(),
		"Style": template.CSS(style), "Lead": template.HTML(lead), "Body": template.HTML(body), //nolint:gosec // ours
	})
	return b.String(), err
}

// htmlLang are the names of the languages in HTML; a browser chooses the shapes
// of Chinese characters by them.
var htmlLang = map[string]string{"en": "en", "zh": "zh-Hans"}

func (d *Document) entries() []entry {
	var out []entry
	for _, h := range d.contents {
		e := entry{Anchor: h.anchor, Title: h.title}
		if h.level > 2 && len(out) > 0 {
			last := &out[len(out)-1]
			last.Below = append(last.Below, e)
			continue
		}
		out = append(out, e)
	}
	return out
}

// toHTML converts the Markdown of this package and of the texts. Raw HTML is
// let through: it is the anchors.
func toHTML(markdown string) (string, error) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithRendererOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(drawings{}, 0))),
	)
	var b bytes.Buffer
	if err := md.Convert([]byte(markdown), &b); err != nil {
		return "", err
	}
	return b.String(), nil
}

// longBlock is the number of lines from which a block of code may be broken
// between two sheets of paper.
const longBlock = 30

// drawings renders blocks of code, and as pictures those that are drawings.
type drawings struct{}

// RegisterFuncs takes over the blocks of code.
func (drawings) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, block)
}

func block(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.FencedCodeBlock)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	var info []string
	if n.Info != nil {
		info = strings.Fields(string(n.Info.Segment.Value(source)))
	}
	var text bytes.Buffer
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		text.Write(segment.Value(source))
	}
	code := strings.TrimRight(text.String(), "\n")
	switch {
	case len(info) == 3 && info[0] == drawingLang:
		fmt.Fprint(w, SVG(info[1], info[2]))
	case len(info) > 0:
		class := info[0]
		if strings.Count(code, "\n") > longBlock {
			class += " long"
		}
		fmt.Fprintf(w, "<pre class=%q><code>%s</code></pre>\n", class, highlight(info[0], code))
	default:
		fmt.Fprintf(w, "<pre class=\"text\"><code>%s</code></pre>\n", template.HTMLEscapeString(code))
	}
	return ast.WalkContinue, nil
}
