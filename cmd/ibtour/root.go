package main

import (
	"errors"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"ibtour/verbs"
	"ibtour/verbs/kernel"
)

// app is one run of the command: where it reads and writes, and which devices
// it can reach.
type app struct {
	in       io.Reader
	out, err io.Writer
	// drivers opens the way to the devices; nil for the real one.
	drivers func() (verbs.Driver, error)
	// driverOf tells the kernel's driver of a device; nil asks the kernel.
	driverOf func(device string) (kernel.Driver, error)
	lang     string // of all texts; empty means English
}

func (a *app) root() *cobra.Command {
	var f tourFlags
	say := a.say()
	c := &cobra.Command{
		Use: "ibtour", Short: say.root.short, Example: say.root.example,
		Long: say.root.long + "\n\n" + say.exitStatus, Version: version(),
		Args: a.noSuchCommand, SilenceUsage: true, SilenceErrors: true,
		RunE: func(c *cobra.Command, _ []string) error { return a.tour(c.Context(), c, &f, nil) },
	}
	f.add(a, c)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{say.optionsOf.Err(say.flagError(err), c.CommandPath())}
	})
	c.AddCommand(a.tourCmd(), a.autoCmd(), a.walkCmd(), a.devicesCmd(), a.explainCmd(), a.handoutCmd(), a.manCmd())
	say.help(c)
	return c
}

// manCmd prints the manual page, for packagers.
func (a *app) manCmd() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: a.say().man, Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return doc.GenMan(c.Root(), &doc.GenManHeader{Title: "IBTOUR", Section: "1"}, a.out)
		},
	}
}

// atMostOneHost is cobra.MaximumNArgs(1) with a text that helps.
func (a *app) atMostOneHost(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return &usageError{a.say().manyHosts.Err(len(args), args[0], c.CommandPath())}
	}
	return nil
}

// noArguments is cobra.NoArgs with a text that helps.
func (a *app) noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{a.say().noArguments.Err(c.CommandPath(), args[0])}
	}
	return nil
}

// noSuchCommand is cobra.NoArgs for what stands where a command should.
func (a *app) noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{a.say().unknownCommand.Err(args[0], c.CommandPath())}
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
