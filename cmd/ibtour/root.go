package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"ibtour/verbs"
)

// app is one run of the command: where it reads and writes, and which devices
// it can reach.
type app struct {
	in       io.Reader
	out, err io.Writer
	// drivers opens the way to the devices; nil for the real one.
	drivers func() (verbs.Driver, error)
}

const long = `ibtour executes the RC ping-pong of ibv_rc_pingpong on an RDMA device: verb by
verb, with each call, its result and the state it leaves (walk), or at full speed
(auto).

Without a host both ends of the connection are in this process. With --server or a
host it is one end, and the other is another ibtour or ibv_rc_pingpong itself.`

const exitHelp = `Exit status:
    0  the ping-pong was completed, or its reader left it with q
    1  it failed; one line on standard error says at which step and why
    2  the command line is wrong
    3  there is no usable RDMA device
    4  a message came with a wrong byte (-c)
   70  an error of ibtour itself; please report it
  128+N  ended by signal N, after everything was torn down`

func (a *app) root() *cobra.Command {
	var f tourFlags
	c := &cobra.Command{
		Use: "ibtour", Short: "See an RDMA program happen, verb by verb",
		Long: long + "\n\n" + exitHelp, Version: version(),
		Args: cobra.NoArgs, SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error { return a.tour(c.Context(), c, &f, nil) },
	}
	f.add(c)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{fmt.Errorf("%w; %s --help lists the options", err, c.CommandPath())}
	})
	c.AddCommand(a.tourCmd(), a.autoCmd(), a.walkCmd(), a.devicesCmd(), a.explainCmd(), a.handoutCmd(), a.manCmd())
	return c
}

// manCmd prints the manual page, for packagers.
func (a *app) manCmd() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Print the manual page", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return doc.GenMan(c.Root(), &doc.GenManHeader{Title: "IBTOUR", Section: "1"}, a.out)
		},
	}
}

// atMostOneHost is cobra.MaximumNArgs(1) with a text that helps.
func atMostOneHost(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return &usageError{fmt.Errorf("%d hosts given (%q …): a client has one peer; %s --help lists the options",
			len(args), args[0], c.CommandPath())}
	}
	return nil
}

// usageError is a command line that cannot be meant.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func isUsage(err error) bool {
	var u *usageError
	return errors.As(err, &u)
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
