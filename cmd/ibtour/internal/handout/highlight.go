package handout

import (
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// highlight returns code as HTML with its comments, keywords, strings and
// numbers in elements of one letter, which style.css gives a colour. Of a call
// only the result is set off: its values are not all C (a GID is none).
func highlight(lang, code string) string {
	lexer := lexers.Get(lang)
	if lexer == nil {
		return template.HTMLEscapeString(code)
	}
	tokens, err := lexer.Tokenise(nil, code)
	if err != nil {
		return template.HTMLEscapeString(code)
	}
	var b strings.Builder
	for _, t := range tokens.Tokens() {
		text := template.HTMLEscapeString(t.Value)
		if class := classOfToken(t.Type); class == "c" || class != "" && lang == "go" {
			text = `<span class="` + class + `">` + text + "</span>"
		}
		b.WriteString(text)
	}
	return strings.TrimRight(b.String(), "\n")
}

func classOfToken(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return "c"
	case t == chroma.KeywordConstant, t.InSubCategory(chroma.LiteralNumber):
		return "n"
	case t.InCategory(chroma.Keyword):
		return "k"
	case t.InSubCategory(chroma.LiteralString):
		return "s"
	}
	return ""
}
