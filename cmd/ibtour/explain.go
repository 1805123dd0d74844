package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/muesli/termenv"
	"github.com/spf13/cobra"

	"ibtour/annotations"
	"ibtour/cmd/ibtour/internal/render"
)

// explain is one run of the command of that name.
type explain struct {
	app     *app
	book    *annotations.Book
	other   *annotations.Book // in the other language, for its names
	text    explainText
	width   int
	screen  int // width of the screen, for the list
	profile termenv.Profile
}

func (a *app) explainCmd() *cobra.Command {
	var lang string
	var width int
	say := a.say()
	c := &cobra.Command{
		Use: "explain [TOPIC]", Short: say.explain.short, Long: say.explain.long, Example: say.explain.example,
		RunE: func(_ *cobra.Command, args []string) error { return a.explain(lang, width, strings.Join(args, " ")) },
	}
	c.Flags().StringVar(&lang, "lang", "", say.options.lang)
	c.Flags().IntVar(&width, "width", 0, say.options.width)
	return c
}

func (a *app) explain(lang string, width int, topic string) error {
	lang, err := language(lang)
	if err != nil {
		return err
	}
	if width != 0 && (width < leastWidth || width > widestWidth) {
		return &usageError{a.say().width.Err(width, leastWidth, widestWidth)}
	}
	e := explain{app: a, text: explainTexts[lang], profile: profileOf(a.out)}
	e.screen = cmp.Or(width, columnsOf(a.out))
	e.width = cmp.Or(width, min(e.screen-e.margin(), pageWidth))
	if e.book, err = annotations.Load(lang); err != nil {
		return err
	}
	for _, l := range annotations.Languages() {
		if l == lang {
			continue
		}
		if e.other, err = annotations.Load(l); err != nil {
			return err
		}
	}
	if strings.TrimSpace(topic) == "" {
		return e.print(e.list())
	}
	return e.topic(topic)
}

// topic shows the best page on a topic, and where else it is explained.
func (e *explain) topic(topic string) error {
	hits, about := e.find(topic), ""
	if len(hits) == 0 {
		if hits, about = e.findPart(topic); len(hits) == 0 {
			return &usageError{e.nothing(topic)}
		}
		about = fmt.Sprintf(e.text.part, about)
	}
	page, ok := e.book.Open(hits[0].Kind, hits[0].ID)
	if !ok {
		return fmt.Errorf("%s %s has no page", hits[0].Kind, hits[0].ID)
	}
	text, err := render.Page(e.source(page, hits[0]), e.width, e.profile)
	if err != nil {
		return err
	}
	var lead strings.Builder
	if about != "" {
		e.line(&lead, about)
		lead.WriteByte('\n')
	}
	return e.print(lead.String() + text + e.footer(page, hits))
}

// source returns the page as Markdown. If the topic is explained in one place
// of it, that comes first.
func (e *explain) source(page annotations.Page, hit annotations.Hit) string {
	filled := page.Blank()
	whole := filled.Markdown()
	if hit.Section == "" || hit.Kind == annotations.TermEntry {
		return whole
	}
	title, rest, _ := strings.Cut(whole, "\n")
	place := annotations.Page{Core: "**" + hit.Section + "**\n\n" + hit.Excerpt}.Blank()
	quote := "> " + strings.ReplaceAll(place.Core, "\n", "\n> ")
	return title + "\n\n" + quote + "\n" + rest
}

// footer tells what else there is to read.
func (e *explain) footer(page annotations.Page, hits []annotations.Hit) string {
	var b strings.Builder
	if len(page.Placeholders()) > 0 {
		e.paragraph(&b, e.text.live)
	}
	shown := []entry{e.entry(page)}
	var also, links []entry
	add := func(list *[]entry, kind annotations.Kind, id string) {
		p, ok := e.book.Open(kind, id)
		if n := e.entry(p); ok && !slices.Contains(shown, n) {
			shown = append(shown, n)
			*list = append(*list, n)
		}
	}
	for _, h := range hits[1:] {
		add(&also, h.Kind, h.ID)
	}
	for _, l := range page.Links {
		add(&links, l.Kind, l.ID)
	}
	e.entries(&b, e.text.also, also)
	e.entries(&b, e.text.linked, links)
	return b.String()
}

func (e *explain) print(text string) error {
	if _, err := fmt.Fprint(e.app.out, text); err != nil {
		return e.app.say().stdout.Err(err)
	}
	return nil
}
