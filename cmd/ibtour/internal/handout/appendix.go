package handout

import (
	"ibtour/annotations"
	"ibtour/steps"
)

// appendices write the pages that the texts link to.
func (d *Document) appendices() {
	d.otherSteps()
	d.heading(2, "concepts", d.text.concepts)
	for _, p := range d.book.Concepts() {
		d.page(p)
	}
	d.heading(2, "glossary", d.text.glossary)
	for _, t := range d.book.Glossary() {
		d.write("**<a id=%q></a>%s**", anchorOf(annotations.TermEntry, t.ID), t.Title())
		d.write("%s", d.resolve(t.Markdown))
	}
}

// otherSteps writes the pages of the steps that this run did not have.
func (d *Document) otherSteps() {
	begun := false
	for _, s := range steps.RCPingPong.Steps {
		page, ok := d.book.Step(s.ID)
		if _, seen := d.first[s.ID]; seen || !ok {
			continue
		}
		if !begun {
			d.heading(2, "other-steps", d.text.otherSteps)
			d.write("%s", d.text.otherStepsWhy)
			begun = true
		}
		d.first[s.ID] = page.Title
		d.page(page.Blank())
	}
}

func (d *Document) page(p annotations.Page) {
	d.heading(3, anchorOf(p.Kind, p.ID), p.Title)
	d.write("%s", d.resolve(p.Core))
	d.sections(p)
}
