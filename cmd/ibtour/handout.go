package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ibtour/annotations"
	"ibtour/cmd/ibtour/internal/handout"
	"ibtour/steps"
	"ibtour/verbs/softroce"
)

// handoutFlags are the options of handout besides those of a run.
type handoutFlags struct {
	flags
	lang string
	out  string
}

func (a *app) handoutCmd() *cobra.Command {
	var f handoutFlags
	c := &cobra.Command{
		Use:   "handout",
		Short: "Execute the ping-pong and write the run as a document",
		Long: `handout walks through the ping-pong with both ends in this process and writes the run as one
document: for each step its text, the calls in C, what they returned and changed, the packets
of soft0, the source and the state of the queue pair; then the figures, and the pages and the
glossary that the texts link to. All values are those of the run.

The name given with -o decides the form: FILE.md is Markdown, FILE.html a page that needs
nothing else, in light and dark and for A4 paper. Without -o Markdown goes to standard
output. A run that fails leaves no file.

` + exitHelp,
		Args: cobra.NoArgs,
		Example: `  ibtour handout -o pingpong.html
  ibtour handout --lang zh -e -n 10 -o events.md`,
		RunE: func(c *cobra.Command, _ []string) error { return a.handout(c.Context(), &f) },
	}
	f.add(c, defaultWait)
	c.Flags().StringVar(&f.lang, "lang", "", "`language` of the document: en or zh (default: that of LC_ALL or LANG)")
	c.Flags().StringVarP(&f.out, "output", "o", "", "write to this `file`, .md or .html")
	for _, name := range []string{"server", "json"} {
		if err := c.Flags().MarkHidden(name); err != nil {
			panic(err) // add has declared them
		}
	}
	return c
}

func (a *app) handout(ctx context.Context, f *handoutFlags) error {
	if f.server || f.json {
		return &usageError{errors.New("handout has both ends in this process and writes a document: there is no --server or --json")}
	}
	lang, err := language(f.lang)
	if err != nil {
		return err
	}
	f.opts.Lang = lang
	roles, err := f.roles(nil)
	if err != nil {
		return err
	}
	target, err := newTarget(f.out)
	if err != nil {
		return &usageError{err}
	}
	book, err := annotations.Load(lang)
	if err != nil {
		return err
	}
	run, err := a.record(ctx, &f.flags, roles)
	if err != nil {
		return err
	}
	doc, err := handout.New(run, book)
	if err != nil {
		return err
	}
	return a.deliver(doc, target)
}

// record walks the tour and returns the run.
func (a *app) record(ctx context.Context, f *flags, roles []steps.Role) (*handout.Run, error) {
	f.opts.Walk = true
	r := steps.Runner{Tour: &steps.RCPingPong, Opts: &f.opts, Roles: roles, Observe: true}
	device, err := a.choose(f, r.Packet)
	if err != nil {
		return nil, err
	}
	r.Driver = device
	if device.why != "" {
		fmt.Fprintln(a.err, device.why)
	}
	run := handout.NewRun(&f.opts, version())
	run.Embedded = f.opts.Device == softroce.DefaultName
	r.Sink, r.Gate = run.Event, run.Gate
	err = r.Run(ctx)
	return run, errors.Join(err, device.close())
}

// deliver writes the document to where it is wanted.
func (a *app) deliver(doc *handout.Document, t *target) error {
	if t == nil {
		if _, err := fmt.Fprint(a.out, doc.Markdown()); err != nil {
			return fmt.Errorf("standard output: %w", err)
		}
		return nil
	}
	text := doc.Markdown()
	if t.html {
		var err error
		if text, err = doc.HTML(); err != nil {
			return err
		}
	}
	return t.write(text)
}
