package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ibtour/tui"
	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

// tourFlags are the options of the tour besides those of a run.
type tourFlags struct {
	flags
	at, lang, theme string
	presenter       bool
}

// add declares the options of the tour on a command.
func (f *tourFlags) add(c *cobra.Command) {
	f.flags.add(c, 0)
	fs := c.Flags()
	if err := fs.MarkHidden("json"); err != nil {
		panic(err) // the flag was added in the line before
	}
	fs.StringVar(&f.at, "at", "", "run on to this `step` (such as qp_rtr or client/qp_rtr), then stop at each")
	fs.StringVar(&f.lang, "lang", "", "`language`: en or zh (default: that of LC_ALL or LANG)")
	fs.StringVar(&f.theme, "theme", "", "`theme`: dark, light or plain (default: that of the terminal)")
	fs.BoolVar(&f.presenter, "presenter", false, "large and few, for a projector")
}

func (a *app) tourCmd() *cobra.Command {
	var f tourFlags
	c := &cobra.Command{
		Use:   "tour [HOST]",
		Short: "Take the tour on screen (what ibtour does without a command)",
		Long: `tour shows the ping-pong on screen: one key does the next thing, and at each call there is
why it is made, its live arguments, its result and what it changed. ? shows the keys.

` + exitHelp,
		Args: atMostOneHost,
		RunE: func(c *cobra.Command, args []string) error { return a.tour(c.Context(), c, &f, args) },
	}
	f.add(c)
	return c
}

// tour takes the tour on screen, or as text where there is no screen.
func (a *app) tour(ctx context.Context, c *cobra.Command, f *tourFlags, args []string) error {
	roles, err := f.roles(args)
	if err != nil {
		return err
	}
	if f.json || !isTerminal(a.in) || !isTerminal(a.out) || os.Getenv("TERM") == "dumb" {
		fmt.Fprintln(a.err, "no terminal that can be drawn on: this is ibtour walk")
		return a.walk(ctx, &walkFlags{flags: f.flags, pause: "auto", at: f.at, lang: f.lang}, args)
	}
	lang, err := language(f.lang)
	if err != nil {
		return err
	}
	theme := tui.Theme(f.theme)
	switch theme {
	case tui.Auto, tui.Dark, tui.Light, tui.Plain:
	default:
		return &usageError{fmt.Errorf("--theme %q is not known: it is dark, light or plain", f.theme)}
	}
	return tui.Run(ctx, tui.Config{
		Stdin: a.in, Stdout: a.out, Opts: f.opts, Roles: roles, Device: f.opts.Device,
		Devices: func() ([]tui.Device, error) { return a.tourDevices(&f.flags) },
		Lang:    lang, Theme: theme, At: f.at, Presenter: f.presenter,
		SkipStart: len(args) > 0 || c.Flags().Changed("server") || c.Flags().Changed("ib-dev") || f.at != "",
	})
}

// tourDevices finds the devices to choose from: those of the kernel, the usable
// ones first, and the embedded one.
func (a *app) tourDevices(f *flags) ([]tui.Device, error) {
	soft, isSoft, err := softroce.ParseName(f.opts.Device)
	if err != nil {
		return nil, &usageError{err}
	}
	var usable, others []tui.Device
	views, _ := a.kernelViews() // why there are none is said by ibtour devices
	for _, v := range views {
		d := a.tourDevice(&v, f.opts.IBPort)
		if d.Unusable == "" {
			usable = append(usable, d)
		} else {
			others = append(others, d)
		}
	}
	embedded := tui.Device{
		Name: softroce.DefaultName, Detail: "the RoCE v2 device inside ibtour: every packet can be seen", Soft: true,
		Open: func(packets func(trace.Packet)) (verbs.Driver, error) {
			opts := soft
			opts.Trace = packets
			c, err := a.embedded(opts, f, "") // its capture is complete after each packet
			if err != nil {
				return nil, err
			}
			return c.Driver, nil
		},
	}
	if isSoft {
		f.opts.Device = softroce.DefaultName
	}
	return append(append(usable, embedded), others...), nil
}

func (a *app) tourDevice(v *deviceView, port int) tui.Device {
	p := v.port(port)
	d := tui.Device{
		Name: v.Name, Unusable: p.Unusable,
		Detail: fmt.Sprintf("%s, %s, %s", p.State, p.LinkLayer, p.Rate),
		Open:   func(func(trace.Packet)) (verbs.Driver, error) { return a.kernelDevices() },
	}
	if v.Unusable != "" {
		d.Unusable = v.Unusable
	}
	for _, g := range p.GIDs {
		if g.Usable && g.IP != "" {
			d.Detail += ", GID " + g.GID
			break
		}
	}
	return d
}
