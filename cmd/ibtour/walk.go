package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ibtour/annotations"
	"ibtour/steps"
)

// walkFlags are the options of walk besides those of a run.
type walkFlags struct {
	flags
	pause string
	at    string
	lang  string
	brief bool
}

func (a *app) walkCmd() *cobra.Command {
	var f walkFlags
	c := &cobra.Command{
		Use:   "walk [HOST]",
		Short: "Walk through the ping-pong verb by verb, as plain text",
		Long: `walk executes the ping-pong one step at a time and prints for each step why it is made,
the call with its values, what it returned and what it changed. On a terminal it waits for
Enter before each call; the adapter goes on acknowledging meanwhile, so the peer does not
mind. In a pipe it runs on. Without HOST both ends are in this process.

` + exitHelp,
		Args: atMostOneHost,
		Example: `  ibtour walk                       both ends here
  ibtour walk --at client/qp_rtr    run on to that step, then wait at each
  ibtour walk --json | jq .         every event as a line of JSON`,
		RunE: func(c *cobra.Command, args []string) error { return a.walk(c.Context(), &f, args) },
	}
	f.add(c, 0)
	c.Flags().StringVar(&f.pause, "pause", "auto", "wait for Enter before each call: `when` is auto (on a terminal), always or never")
	c.Flags().StringVar(&f.at, "at", "", "run on to this `step` (such as qp_rtr or client/qp_rtr), then wait at each")
	c.Flags().StringVar(&f.lang, "lang", "", "`language` of the annotations: en or zh (default: that of LC_ALL or LANG)")
	c.Flags().BoolVar(&f.brief, "brief", false, "leave out the annotations")
	return c
}

func (a *app) walk(ctx context.Context, f *walkFlags, args []string) error {
	roles, err := f.roles(args)
	if err != nil {
		return err
	}
	f.opts.Walk = true
	r := steps.Runner{Tour: &steps.RCPingPong, Opts: &f.opts, Roles: roles, Observe: true}
	device, err := a.choose(&f.flags, r.Packet)
	if err != nil {
		return err
	}
	r.Driver = device
	pauser, err := a.pauser(f, &r)
	if err != nil {
		return err
	}
	book, err := f.book()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var out reporter = newWalkText(a.out, len(r.Stops()), book, cancel)
	if f.json {
		out = &walkJSON{enc: json.NewEncoder(a.out), cancel: cancel}
	}
	out.note(device.why)
	r.Sink, r.Gate = out.event, pauser.gate
	err = because(ctx, r.Run(ctx))
	return out.close(errors.Join(err, device.close()))
}

// pauser decides where a walk waits for Enter.
func (a *app) pauser(f *walkFlags, r *steps.Runner) (*pauser, error) {
	p := &pauser{prompt: a.err, in: a.in, last: -1}
	switch f.pause {
	case "auto":
		p.on = f.at != "" || (isTerminal(a.in) && isTerminal(a.out))
	case "always":
		p.on = true
	case "never":
	default:
		return nil, &usageError{fmt.Errorf("--pause %q is not known: it is auto, always or never", f.pause)}
	}
	if f.at == "" {
		return p, nil
	}
	for _, s := range r.Stops() {
		if s.Name() == f.at || s.Step.ID == f.at {
			p.from = s.Index
			return p, nil
		}
	}
	return nil, &usageError{fmt.Errorf("--at %q is no step of this run: ibtour walk --json lists them", f.at)}
}

// book returns the annotations to print, nil for none.
func (f *walkFlags) book() (*annotations.Book, error) {
	if f.brief {
		return nil, nil
	}
	lang, err := language(f.lang)
	if err != nil {
		return nil, err
	}
	return annotations.Load(lang)
}

// walkJSON prints every event as a line of JSON.
type walkJSON struct {
	enc    *json.Encoder
	cancel context.CancelCauseFunc
}

func (w *walkJSON) event(ev steps.Event) {
	if err := w.enc.Encode(&ev); err != nil {
		w.cancel(fmt.Errorf("standard output: %w", err))
	}
}

func (w *walkJSON) note(text string) {
	if text != "" {
		w.event(steps.Event{Kind: steps.Noticed, Stop: -1, Text: text})
	}
}

func (w *walkJSON) close(err error) error { return err }
