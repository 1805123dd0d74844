package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"ibtour/tui"
	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

// tourFlags are the options of the tour besides those of a run.
type tourFlags struct {
	flags
	at, theme string
	presenter bool
}

// add declares the options of the tour on a command.
func (f *tourFlags) add(a *app, c *cobra.Command) {
	f.flags.add(a, c, 0)
	fs, say := c.Flags(), &a.say().options
	if err := fs.MarkHidden("json"); err != nil {
		panic(err) // the flag was added in the line before
	}
	fs.StringVar(&f.at, "at", "", say.at)
	fs.StringVar(&f.theme, "theme", "", say.theme)
	fs.BoolVar(&f.presenter, "presenter", false, say.presenter)
}

func (a *app) tourCmd() *cobra.Command {
	var f tourFlags
	say := a.say()
	c := &cobra.Command{
		Use: "tour [HOST]", Short: say.tour.short, Long: say.tour.long + "\n\n" + say.exitStatus,
		Example: say.tour.example, Args: a.atMostOneHost,
		RunE: func(c *cobra.Command, args []string) error { return a.tour(c.Context(), c, &f, args) },
	}
	f.add(a, c)
	return c
}

// tour takes the tour on screen, or as text where there is no screen.
func (a *app) tour(ctx context.Context, c *cobra.Command, f *tourFlags, args []string) error {
	roles, err := f.roles(args)
	if err != nil {
		return err
	}
	theme := tui.Theme(f.theme)
	switch theme {
	case tui.Auto, tui.Dark, tui.Light, tui.Plain:
	default:
		return &usageError{a.say().notKnown.Err("--theme", f.theme, a.say().oneOf("dark", "light", "plain"))}
	}
	if f.json || !isTerminal(a.in) || !isTerminal(a.out) || os.Getenv("TERM") == "dumb" {
		fmt.Fprintln(a.err, a.say().noScreen)
		return a.walk(ctx, &walkFlags{flags: f.flags, pause: "auto", at: f.at}, args)
	}
	spareMemory()
	return tui.Run(ctx, tui.Config{
		Stdin: a.in, Stdout: a.out, Opts: f.opts, Roles: roles, Device: f.opts.Device,
		Devices: func() ([]tui.Device, error) { return a.tourDevices(&f.flags) },
		Lang:    f.opts.Lang, Theme: theme, At: f.at, Presenter: f.presenter, Opened: opened,
		SkipStart: len(args) > 0 || c.Flags().Changed("server") || c.Flags().Changed("ib-dev") || f.at != "",
	})
}

// garbage is how much of the heap may be garbage, in percent of what is used.
const garbage = 25

// spareMemory has garbage collected sooner than usual. The tour makes little
// of it, and none in the ping-pong itself.
func spareMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
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
		d := a.tourDevice(&v, f.opts.IBPort, f.pcap)
		if d.Unusable == "" {
			usable = append(usable, d)
		} else {
			others = append(others, d)
		}
	}
	note := ""
	if !isSoft && len(usable) == 0 {
		if _, _, why := a.firstUsable(f.opts.IBPort); why != nil {
			note = a.say().usingSoft.With(softroce.DefaultName, why)
		}
	}
	embedded := tui.Device{
		Name: softroce.DefaultName, Detail: a.say().softDetail, Soft: true, Note: note,
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

func (a *app) tourDevice(v *deviceView, port int, pcap string) tui.Device {
	p := v.port(a.lang, port)
	d := tui.Device{
		Name: v.Name, Unusable: p.Unusable,
		Detail: fmt.Sprintf("%s, %s, %s", p.State, p.LinkLayer, p.Rate),
		Open:   func(func(trace.Packet)) (verbs.Driver, error) { return a.kernelDevices() },
	}
	if pcap != "" {
		d.Record = func() (io.Writer, error) { return createFile(pcap) }
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
