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
	out string
}

func (a *app) handoutCmd() *cobra.Command {
	var f handoutFlags
	say := a.say()
	c := &cobra.Command{
		Use: "handout", Short: say.handout.short, Long: say.handout.long + "\n\n" + say.exitStatus,
		Example: say.handout.example, Args: a.noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.handout(c.Context(), &f) },
	}
	f.add(a, c, defaultWait)
	c.Flags().StringVarP(&f.out, "output", "o", "", say.options.output)
	for _, name := range []string{"server", "json"} {
		if err := c.Flags().MarkHidden(name); err != nil {
			panic(err) // add has declared them
		}
	}
	return c
}

func (a *app) handout(ctx context.Context, f *handoutFlags) error {
	if f.server || f.json {
		return &usageError{a.say().handoutAlone.Err()}
	}
	roles, err := f.roles(nil)
	if err != nil {
		return err
	}
	target, err := a.newTarget(f.out)
	if err != nil {
		return &usageError{err}
	}
	book, err := annotations.Load(f.opts.Lang)
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
			return a.say().stdout.Err(err)
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
