package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

func (a *app) devicesCmd() *cobra.Command {
	var asJSON bool
	var lang string
	say := a.say()
	c := &cobra.Command{
		Use: "devices", Short: say.devices.short, Long: say.devices.long, Example: say.devices.example,
		Args: a.noArguments,
		RunE: func(*cobra.Command, []string) error {
			if _, err := language(lang); err != nil {
				return err
			}
			return a.devices(asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, say.options.json)
	c.Flags().StringVar(&lang, "lang", "", say.options.lang)
	return c
}

func (a *app) devices(asJSON bool) error {
	views, why := a.kernelViews()
	soft, err := viewsOf(a.lang, softroce.New(softroce.Options{}))
	if err != nil {
		return err
	}
	views = append(views, soft...)
	if asJSON {
		enc := json.NewEncoder(a.out)
		enc.SetIndent("", "  ")
		return enc.Encode(views)
	}
	out := a.keeper()
	if why != nil {
		fmt.Fprintf(out, "%v\n\n", why)
	}
	for _, v := range views {
		v.print(out, a.say())
	}
	return out.err
}

// kernelViews looks at the devices of the kernel, or says why there are none.
func (a *app) kernelViews() (views []deviceView, why error) {
	d, err := a.kernelDevices()
	if err != nil {
		return nil, err
	}
	views, err = viewsOf(a.lang, d)
	switch {
	case errors.Is(err, syscall.ENOSYS):
		return nil, a.say().noKernel.Err()
	case err == nil && len(views) == 0:
		return nil, a.say().none.Err()
	}
	return views, err
}

func viewsOf(lang string, d verbs.Driver) (views []deviceView, err error) {
	list, err := verbs.GetDeviceList(d, nil)
	if err != nil {
		return nil, err
	}
	defer list.Free() //nolint:errcheck // freeing has no error without a tracer
	for _, info := range list.Devices() {
		views = append(views, inspect(lang, list, info))
	}
	return views, nil
}

func (d *deviceView) print(w io.Writer, say *wording) {
	fmt.Fprintf(w, "%s  %s, %s", d.Name, d.NodeType, d.Transport)
	if d.GUID != "" {
		fmt.Fprintf(w, ", GUID %s", d.GUID)
	}
	fmt.Fprintln(w)
	if d.Unusable != "" {
		fmt.Fprintln(w, "  "+say.unusable.With(d.Unusable))
	}
	for _, p := range d.Ports {
		p.print(w, say)
	}
}

func (p *portView) print(w io.Writer, say *wording) {
	fmt.Fprintln(w, "  "+say.port.With(p.Number))
	row := func(name, value string) {
		fmt.Fprintln(w, "    "+name+strings.Repeat(" ", max(0, 12-ansi.StringWidth(name))), value)
	}
	row(say.state, say.physically.With(p.State, p.Phys))
	row(say.linkLayer, p.LinkLayer)
	row(say.rate, p.Rate)
	row("MTU", say.mtus.With(p.ActiveMTU, p.MaxMTU))
	row("LID", p.LID)
	for _, g := range p.GIDs {
		text := fmt.Sprintf("%s  %s", g.GID, g.Type)
		if g.Netdev != "" {
			text += ", " + g.Netdev
		}
		if !g.Usable {
			text += say.wrongGID
		}
		row(fmt.Sprintf("GID %d", g.Index), text)
	}
	if p.Unusable == "" {
		row(say.pingPong, say.usable)
	} else {
		row(say.pingPong, say.unusable.With(p.Unusable))
	}
}
