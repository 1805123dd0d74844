package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"ibtour/annotations"
	"ibtour/steps"
)

// walkFlags are the options of walk besides those of a run.
type walkFlags struct {
	flags
	pause string
	at    string
	brief bool
}

func (a *app) walkCmd() *cobra.Command {
	var f walkFlags
	say := a.say()
	c := &cobra.Command{
		Use: "walk [HOST]", Short: say.walk.short, Long: say.walk.long + "\n\n" + say.exitStatus,
		Example: say.walk.example, Args: a.atMostOneHost,
		RunE: func(c *cobra.Command, args []string) error { return a.walk(c.Context(), &f, args) },
	}
	f.add(a, c, 0)
	c.Flags().StringVar(&f.pause, "pause", "auto", say.options.pause)
	c.Flags().StringVar(&f.at, "at", "", say.options.at)
	c.Flags().BoolVar(&f.brief, "brief", false, say.options.brief)
	return c
}

func (a *app) walk(ctx context.Context, f *walkFlags, args []string) error {
	roles, err := f.roles(args)
	if err != nil {
		return err
	}
	f.opts.Walk = true
	r := steps.Runner{Tour: &steps.RCPingPong, Opts: &f.opts, Roles: roles, Observe: true, Watch: true}
	device, err := a.choose(&f.flags, r.Packet)
	if err != nil {
		return err
	}
	r.Driver, r.Capture = device, device.capture(r.Packet)
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
	var out reporter = newWalkText(a, len(r.Stops()), book, cancel)
	if f.json {
		out = &walkJSON{enc: json.NewEncoder(a.out), say: a.say(), cancel: cancel}
	}
	out.note(device.why)
	r.Sink, r.Gate = out.event, pauser.gate
	err = because(ctx, r.Run(ctx))
	return out.close(errors.Join(err, device.close()))
}

// pauser decides where a walk waits for Enter.
func (a *app) pauser(f *walkFlags, r *steps.Runner) (*pauser, error) {
	p := &pauser{run: r, prompt: a.err, in: a.in, last: -1, say: a.say()}
	switch f.pause {
	case "auto":
		p.on = f.at != "" || (isTerminal(a.in) && isTerminal(a.out))
	case "always":
		p.on = true
	case "never":
	default:
		return nil, &usageError{p.say.notKnown.Err("--pause", f.pause, p.say.oneOf("auto", "always", "never"))}
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
	return nil, &usageError{p.say.noSuchStep.Err(f.at)}
}

// book returns the annotations to print, nil for none.
func (f *walkFlags) book() (*annotations.Book, error) {
	if f.brief {
		return nil, nil
	}
	return annotations.Load(f.opts.Lang)
}

// walkJSON prints every event as a line of JSON.
type walkJSON struct {
	enc    *json.Encoder
	say    *wording
	cancel context.CancelCauseFunc
}

func (w *walkJSON) event(ev steps.Event) {
	if err := w.enc.Encode(&ev); err != nil {
		w.cancel(w.say.stdout.Err(err))
	}
}

func (w *walkJSON) note(text string) {
	if text != "" {
		w.event(steps.Event{Kind: steps.Noticed, Stop: -1, Text: text})
	}
}

func (w *walkJSON) close(err error) error { return err }
