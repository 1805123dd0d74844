package main

import (
	"time"

	"github.com/spf13/cobra"

	"ibtour/steps"
)

// flags are the options of a run: those of ibv_rc_pingpong by the same names,
// and ours.
type flags struct {
	opts   steps.Options
	server bool
	json   bool
	pcap   string
}

// defaultWait is how long auto waits for a peer that sends nothing.
const defaultWait = time.Minute

// add declares the options of ibv_rc_pingpong on a command.
func (f *flags) add(a *app, c *cobra.Command, wait time.Duration) {
	f.opts = steps.DefaultOptions()
	fs, o, say := c.Flags(), &f.opts, &a.say().options
	fs.SortFlags = false
	fs.BoolVar(&f.server, "server", false, say.server)
	fs.IntVarP(&o.TCPPort, "port", "p", o.TCPPort, say.port)
	fs.StringVarP(&o.Device, "ib-dev", "d", "", say.device)
	fs.IntVarP(&o.IBPort, "ib-port", "i", o.IBPort, say.ibPort)
	fs.IntVarP(&o.Size, "size", "s", o.Size, say.size)
	fs.IntVarP(&o.MTU, "mtu", "m", o.MTU, say.mtu)
	fs.IntVarP(&o.RxDepth, "rx-depth", "r", o.RxDepth, say.rxDepth)
	fs.IntVarP(&o.Iters, "iters", "n", o.Iters, say.iters)
	fs.IntVarP(&o.SL, "sl", "l", o.SL, say.sl)
	fs.BoolVarP(&o.Events, "events", "e", false, say.events)
	fs.IntVarP(&o.GIDIdx, "gid-idx", "g", o.GIDIdx, say.gid)
	fs.Lookup("gid-idx").DefValue = "0" // not shown: below 0 means that one is chosen
	fs.BoolVarP(&o.Check, "chk", "c", false, say.check)
	fs.DurationVar(&o.Wait, "wait", wait, say.wait)
	fs.StringVar(&f.pcap, "pcap", "", say.pcap)
	fs.BoolVar(&f.json, "json", false, say.json)
	fs.StringVar(&o.Lang, "lang", "", say.lang)
}

// roles settles which ends are in this process.
func (f *flags) roles(args []string) ([]steps.Role, error) {
	lang, err := language(f.opts.Lang)
	if err != nil {
		return nil, err
	}
	f.opts.Lang = lang
	if err := f.opts.Validate(); err != nil {
		return nil, &usageError{err}
	}
	say := wordingIn(lang)
	if f.opts.Wait < 0 {
		return nil, &usageError{say.negativeWait.Err(f.opts.Wait)}
	}
	switch {
	case len(args) == 1 && f.server:
		return nil, &usageError{say.serverAndHost.Err()}
	case len(args) == 1:
		f.opts.Host = args[0]
		return []steps.Role{steps.Client}, nil
	case f.server:
		return []steps.Role{steps.Server}, nil
	}
	return []steps.Role{steps.Server, steps.Client}, nil
}
