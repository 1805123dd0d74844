package handout

import (
	"fmt"
	"strings"

	"ibtour/annotations"
	"ibtour/steps"
)

// step writes a step with all it did: the text where it comes for the first
// time, then each end's calls, then what lies below.
func (d *Document) step(g *group) error {
	page, ok := d.book.Step(g.id)
	if !ok {
		return fmt.Errorf("step %s has no text", g.id)
	}
	page = page.Within(g.stops[0].After.Has).Fill(resolver(&g.stops[0]))
	anchor, again := anchorOf(annotations.StepPage, g.id), d.first[g.id]
	if again != "" {
		anchor = fmt.Sprintf("%s-%d", anchor, g.number)
	}
	title := fmt.Sprintf("%d. %s", g.number, page.Title)
	if d.times[g.id] > 1 {
		title = fmt.Sprintf(d.text.of, title, strings.ToLower(d.text.end(g.stops[0].End)))
	}
	d.heading(3, anchor, title)
	if again == "" {
		d.write("%s", d.resolve(page.Core))
	} else {
		d.write("%s", fmt.Sprintf(d.text.seeFirst, again, anchorOf(annotations.StepPage, g.id)))
	}
	for i := range g.stops {
		d.stop(&g.stops[i])
	}
	if again != "" {
		return nil
	}
	d.first[g.id] = fmt.Sprintf("%d", g.number)
	source, err := steps.Source(g.id)
	if err != nil {
		return err
	}
	d.write("#### %s", d.text.source)
	d.write("```go\n%s\n```", source)
	d.sections(page)
	return nil
}

// sections writes the sections of a page.
func (d *Document) sections(page annotations.Page) {
	for _, s := range page.Sections {
		d.write("#### %s", s.Title)
		d.write("%s", d.resolve(s.Markdown))
	}
}

// resolver finds the live values of a text: as they are after the step, and
// where an object is gone by then, as they were before.
func resolver(s *Stop) func(string) (string, bool) {
	end := s.End
	if end == "" {
		end = steps.Client
	}
	after, before := s.After.Resolver(end), s.Before.Resolver(end)
	return func(name string) (string, bool) {
		v, ok := after(name)
		if !ok {
			v, ok = before(name)
		}
		return v, ok
	}
}

// stop writes what one end did.
func (d *Document) stop(s *Stop) {
	d.write("#### <a id=\"stop-%d\"></a>%s", s.Number,
		fmt.Sprintf(d.text.stop, d.text.end(s.End), s.Number, len(d.run.Stops)))
	d.events(s.Events)
	d.packets(s)
	d.changes(s.Changes)
	if s.ID == "iterate" && len(d.run.Figures) > 0 {
		d.write("%s", fmt.Sprintf(d.text.seeFigures, "figures"))
	}
	if len(s.Events) == 0 && len(s.Changes) == 0 && len(s.Packets) == 0 {
		d.write("%s", d.text.nothing)
	}
}
