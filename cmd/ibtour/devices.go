package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/spf13/cobra"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

func (a *app) devicesCmd() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "devices", Short: "List RDMA devices, their ports and GIDs, and which can be used",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.devices(asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) devices(asJSON bool) error {
	views, why := a.kernelViews()
	soft, err := viewsOf(softroce.New(softroce.Options{}))
	if err != nil {
		return err
	}
	views = append(views, soft...)
	if asJSON {
		enc := json.NewEncoder(a.out)
		enc.SetIndent("", "  ")
		return enc.Encode(views)
	}
	out := &keeper{Writer: a.out}
	if why != nil {
		fmt.Fprintf(out, "%v\n\n", why)
	}
	for _, v := range views {
		v.print(out)
	}
	return out.err
}

// kernelViews looks at the devices of the kernel, or says why there are none.
func (a *app) kernelViews() (views []deviceView, why error) {
	d, err := a.kernelDevices()
	if err != nil {
		return nil, err
	}
	views, err = viewsOf(d)
	switch {
	case errors.Is(err, syscall.ENOSYS):
		return nil, errNoKernel
	case err == nil && len(views) == 0:
		return nil, errNone
	}
	return views, err
}

func viewsOf(d verbs.Driver) (views []deviceView, err error) {
	list, err := verbs.GetDeviceList(d, nil)
	if err != nil {
		return nil, err
	}
	defer list.Free() //nolint:errcheck // freeing has no error without a tracer
	for _, info := range list.Devices() {
		views = append(views, inspect(list, info))
	}
	return views, nil
}

func (d *deviceView) print(w io.Writer) {
	fmt.Fprintf(w, "%s  %s, %s", d.Name, d.NodeType, d.Transport)
	if d.GUID != "" {
		fmt.Fprintf(w, ", GUID %s", d.GUID)
	}
	fmt.Fprintln(w)
	if d.Unusable != "" {
		fmt.Fprintf(w, "  not usable: %s\n", d.Unusable)
	}
	for _, p := range d.Ports {
		p.print(w)
	}
}

func (p *portView) print(w io.Writer) {
	fmt.Fprintf(w, "  port %d\n", p.Number)
	row := func(name, value string) { fmt.Fprintf(w, "    %-12s %s\n", name, value) }
	row("state", p.State+", physically "+p.Phys)
	row("link layer", p.LinkLayer)
	row("rate", p.Rate)
	row("MTU", fmt.Sprintf("%d active, %d at most", p.ActiveMTU, p.MaxMTU))
	row("LID", p.LID)
	for _, g := range p.GIDs {
		text := fmt.Sprintf("%s  %s", g.GID, g.Type)
		if g.Netdev != "" {
			text += ", " + g.Netdev
		}
		if !g.Usable {
			text += "  (not usable here: RoCE v2 is needed)"
		}
		row(fmt.Sprintf("GID %d", g.Index), text)
	}
	if p.Unusable == "" {
		row("ping-pong", "usable")
	} else {
		row("ping-pong", "not usable: "+p.Unusable)
	}
}
