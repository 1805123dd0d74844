package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ibtour/steps"
)

func (a *app) autoCmd() *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "auto [HOST]",
		Short: "Run the whole ping-pong at full speed",
		Long: `auto runs the ping-pong of ibv_rc_pingpong at full speed and prints its figures and the
distribution of the round trip. Without HOST both ends are in this process.

The peer may be ibv_rc_pingpong: give both the same -s and -n. What the original leaves to
its user is done here: a GID is chosen, the MTU fits the port, -c looks at every byte, and a
port that cannot work is refused before the peer is told anything.

` + exitHelp,
		Args: atMostOneHost,
		Example: `  ibtour auto                       both ends here
  ibtour auto --server              wait for a client
  ibtour auto 192.0.2.1 -n 10000    be the client of that server
  ibv_rc_pingpong -g 1 192.0.2.1    the original as the client of "ibtour auto --server"`,
		RunE: func(c *cobra.Command, args []string) error { return a.auto(c.Context(), &f, args) },
	}
	f.add(c, defaultWait)
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
	var out reporter = newAutoText(a.out, a.err, len(roles) == 2)
	if f.json {
		out = newAutoJSON(a.out, &f.opts)
	}
	out.note(device.why)
	r := steps.Runner{
		Tour: &steps.RCPingPong, Opts: &f.opts, Driver: device, Roles: roles, Sink: out.event,
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
