package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ibtour/steps"
)

func (a *app) autoCmd() *cobra.Command {
	var f flags
	say := a.say()
	c := &cobra.Command{
		Use: "auto [HOST]", Short: say.auto.short, Long: say.auto.long + "\n\n" + say.exitStatus,
		Example: say.auto.example, Args: a.atMostOneHost,
		RunE: func(c *cobra.Command, args []string) error { return a.auto(c.Context(), &f, args) },
	}
	f.add(a, c, defaultWait)
	return c
}

func (a *app) auto(ctx context.Context, f *flags, args []string) error {
	roles, err := f.roles(args)
	if err != nil {
		return err
	}
	device, err := a.choose(f, nil)
	if err != nil {
		return err
	}
	var out reporter = newAutoText(a, len(roles) == 2)
	if f.json {
		out = newAutoJSON(a.out, &f.opts)
	}
	out.note(device.why)
	r := steps.Runner{
		Tour: &steps.RCPingPong, Opts: &f.opts, Driver: device, Roles: roles, Sink: out.event,
	}
	if device.file != nil {
		r.Capture = device.capture(nil)
	}
	err = because(ctx, r.Run(ctx))
	return out.close(errors.Join(err, device.close()))
}

// reporter shows a run to whoever reads the output.
type reporter interface {
	event(steps.Event)
	// note says something about the run as a whole; an empty text is nothing.
	note(text string)
	// close ends the output and returns the error to exit with.
	close(err error) error
}
