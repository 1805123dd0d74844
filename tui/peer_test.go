package tui

import (
	"context"
	"net/netip"
	"os"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/softroce"
)

// ownAddr is a loopback address that other processes most likely leave alone:
// a UDP port has one owner.
func ownAddr(n byte) netip.Addr {
	pid := os.Getpid()
	return netip.AddrFrom4([4]byte{127, byte(pid>>8)%200 + 20, byte(pid), n})
}

// TestPeerGone walks a client whose server goes away before the first message:
// the tour stays at the poll, with the completion status and what it means.
func TestPeerGone(t *testing.T) {
	ctx, gone := context.WithCancel(t.Context())
	defer gone()
	opts := testOptions()
	opts.TCPPort = freePort(t)
	listening := make(chan struct{})
	server := &steps.Runner{
		Tour: &steps.RCPingPong, Opts: &opts, Roles: []steps.Role{steps.Server},
		Driver: softroce.New(softroce.Options{Addr: ownAddr(1)}),
		Sink: func(ev steps.Event) {
			if ev.Kind == steps.StepDone && ev.Step == "listen" {
				close(listening)
			}
		},
		Gate: func(ctx context.Context, m steps.Moment) error {
			if m.Stop.Step.ID != "poll_cq" {
				return nil
			}
			<-ctx.Done()
			return context.Cause(ctx)
		},
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Run(ctx) // it is cancelled
	}()
	<-listening
	d := newDriver(t, "en", func(c *Config) {
		c.Roles, c.At = []steps.Role{steps.Client}, "post_send"
		c.Opts.TCPPort, c.Opts.Host = opts.TCPPort, "127.0.0.1"
	}, softroce.Options{Addr: ownAddr(2)})
	d.until("the first send", func() bool { return d.m.held && d.m.cursor >= 0 && d.m.look().visit.id == "post_send" })
	gone()
	<-ended
	d.press("e")
	d.until("the failure", func() bool { return d.m.hist.over })
	s := screenOf(t, d.m)
	for _, want := range []string{"IBV_WC_RETRY_EXC_ERR (12", english.failTitle, english.failMeaning, "R retry"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not on the screen:\n%s", want, s)
		}
	}
	if v := d.m.look().visit; v.id != "poll_cq" {
		t.Errorf("the cursor is at %s", v.id)
	}
}
