package main

import (
	"errors"
	"fmt"
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
func (f *flags) add(c *cobra.Command, wait time.Duration) {
	f.opts = steps.DefaultOptions()
	fs, o := c.Flags(), &f.opts
	fs.SortFlags = false
	fs.BoolVar(&f.server, "server", false, "be the server alone and wait for a client")
	fs.IntVarP(&o.TCPPort, "port", "p", o.TCPPort, "TCP `port` of the address exchange")
	fs.StringVarP(&o.Device, "ib-dev", "d", "", "RDMA `device` (default: the first usable one, else soft0, which is inside ibtour)")
	fs.IntVarP(&o.IBPort, "ib-port", "i", o.IBPort, "`port` of the device, counted from 1")
	fs.IntVarP(&o.Size, "size", "s", o.Size, "`bytes` of a message; the same on both ends")
	fs.IntVarP(&o.MTU, "mtu", "m", o.MTU, "path MTU in `bytes`: 256, 512, 1024, 2048 or 4096; no more than the port has")
	fs.IntVarP(&o.RxDepth, "rx-depth", "r", o.RxDepth, "`receives` to keep posted")
	fs.IntVarP(&o.Iters, "iters", "n", o.Iters, "round `trips`; the same on both ends")
	fs.IntVarP(&o.SL, "sl", "l", o.SL, "service `level`")
	fs.BoolVarP(&o.Events, "events", "e", false, "sleep until there is a completion instead of polling")
	fs.IntVarP(&o.GIDIdx, "gid-idx", "g", o.GIDIdx, "`index` of the local GID (default: a RoCE v2 one on the address that reaches the peer)")
	fs.Lookup("gid-idx").DefValue = "0" // not shown: below 0 means that one is chosen
	fs.BoolVarP(&o.Check, "chk", "c", false, "validate every byte of every message; give it to both ends")
	fs.DurationVar(&o.Wait, "wait", wait, "give up when the peer sends nothing for this `time`; 0 waits for ever")
	fs.StringVar(&f.pcap, "pcap", "", "write the packets of soft0 to this `file` (pcapng)")
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

// noArguments is cobra.NoArgs with a text that helps.
func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{fmt.Errorf("%s takes no arguments, and there is %q; %s --help lists the options",
			c.CommandPath(), args[0], c.CommandPath())}
	}
	return nil
}

// roles settles which ends are in this process.
func (f *flags) roles(args []string) ([]steps.Role, error) {
	if err := f.opts.Validate(); err != nil {
		return nil, &usageError{err}
	}
	if f.opts.Wait < 0 {
		return nil, &usageError{fmt.Errorf("--wait %v is negative: give a time such as 30s, or 0 to wait for ever", f.opts.Wait)}
	}
	switch {
	case len(args) == 1 && f.server:
		return nil, &usageError{errors.New("--server and a host exclude each other: the server waits for the client")}
	case len(args) == 1:
		f.opts.Host = args[0]
		return []steps.Role{steps.Client}, nil
	case f.server:
		return []steps.Role{steps.Server}, nil
	}
	return []steps.Role{steps.Server, steps.Client}, nil
}
