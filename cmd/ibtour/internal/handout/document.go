package handout

import (
	"fmt"
	"strings"

	"ibtour/annotations"
	"ibtour/steps"
)

// Document is the handout of one run in one language.
type Document struct {
	run   *Run
	book  *annotations.Book
	text  *text
	title string

	lead     string // Markdown above the contents
	contents []heading
	body     strings.Builder   // Markdown below them
	first    map[string]string // step ID → number of the part with its text
	times    map[string]int    // step ID → how many parts it has
}

// heading is a line of the table of contents.
type heading struct {
	level  int // 2 or 3
	anchor string
	title  string
}

// New writes the document of a run. It needs the texts in the language it is to
// be in.
func New(r *Run, book *annotations.Book) (*Document, error) {
	if len(r.Stops) == 0 {
		return nil, ErrEmpty
	}
	d := &Document{run: r, book: book, text: texts[book.Lang()], first: map[string]string{}, times: map[string]int{}}
	d.title = fmt.Sprintf(d.text.title, r.Opts.Device)
	d.writeLead()
	phase, groups := steps.Phase(""), r.groups()
	for _, g := range groups {
		d.times[g.id]++
	}
	for _, g := range groups {
		if p := g.stops[0].Phase; p != phase {
			phase = p
			d.heading(2, "phase-"+string(p), p.In(d.book.Lang()))
		}
		if err := d.step(&g); err != nil {
			return nil, err
		}
	}
	d.figures()
	d.appendices()
	return d, nil
}

// writeLead writes what stands above the contents: the run as a whole.
func (d *Document) writeLead() {
	r, o, t := d.run, d.run.Opts, d.text
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", t.lead)
	fmt.Fprintf(&b, "| %s | |\n|---|---|\n", t.thisRun)
	row := func(name string, format string, args ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", name, cellText(fmt.Sprintf(format, args...)))
	}
	device := o.Device
	if r.Embedded {
		device += t.embedded
	}
	row(t.device, "%s", device)
	row(t.date, "%s", r.Began.Format("2006-01-02 15:04 MST"))
	row(t.size, "%d (`-s`)", o.Size)
	row(t.iters, "%d (`-n`)", o.Iters)
	row(t.depth, "%d (`-r`)", o.RxDepth)
	row(t.mtu, "%d (`-m`)", o.MTU)
	row(t.waiting, "%s", t.waitingFor(o.Events))
	row(t.checked, "%s", t.yesNo(o.Check))
	row(t.stops, "%d", len(r.Stops))
	row(t.took, "%s", duration(r.Took()))
	row("ibtour", "%s", r.Version)
	fmt.Fprintf(&b, "\n%s\n", t.values)
	d.lead = b.String()
}

// heading begins a part of the document and puts it in the contents.
func (d *Document) heading(level int, anchor, title string) {
	d.contents = append(d.contents, heading{level, anchor, title})
	d.write("%s <a id=%q></a>%s", strings.Repeat("#", level), anchor, title)
}

// write writes a paragraph.
func (d *Document) write(format string, args ...any) {
	fmt.Fprintf(&d.body, format+"\n\n", args...)
}

// resolve turns links to pages into links within the document.
func (d *Document) resolve(markdown string) string {
	return annotations.RewriteLinks(markdown, func(l annotations.Link) string {
		return "[" + l.Text + "](#" + anchorOf(l.Kind, l.ID) + ")"
	})
}

// anchorOf is the name of the place where a page stands.
func anchorOf(k annotations.Kind, id string) string { return string(k) + "-" + id }

// Markdown returns the document as Markdown.
func (d *Document) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n## <a id=\"contents\"></a>%s\n\n", d.title, d.lead, d.text.contents)
	for _, h := range d.contents {
		fmt.Fprintf(&b, "%s- [%s](#%s)\n", strings.Repeat("  ", h.level-2), plainHeading(h.title), h.anchor)
	}
	fmt.Fprintf(&b, "\n%s", strings.TrimRight(d.body.String(), "\n")+"\n")
	return b.String()
}
