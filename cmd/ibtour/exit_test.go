//go:build !lab

package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"syscall"
	"testing"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/trace"
)

func TestStatus(t *testing.T) {
	quit := &steps.StepError{Stop: "client/qp_rtr", Err: errQuit}
	interrupt := &signalError{syscall.SIGINT}
	for _, c := range []struct {
		name   string
		err    error
		status int
	}{
		{"nothing", nil, 0},
		{"left by the reader", quit, 0},
		{"left, and joined as the runner does", errors.Join(quit, errors.Join(nil, nil), nil), 0},
		{"left, but the tear-down failed", errors.Join(quit, syscall.EBUSY), 1},
		{"a step failed", &steps.StepError{Stop: "client/qp_rtr", Err: syscall.EINVAL}, 1},
		{"usage", &usageError{errors.New("-s")}, 2},
		{"unknown command", errors.New(`unknown command "x" for "ibtour"`), 2},
		{"no device", fmt.Errorf("x: %w", verbs.ErrNoDevice), 3},
		{"no usable device", fmt.Errorf("%w: y", errNoUsable), 3},
		{"no RDMA", &verbs.Error{Errno: syscall.ENOSYS}, 3},
		{"a wrong byte", &steps.StepError{Err: &steps.DataError{}}, 4},
		{"panic", &steps.PanicError{Value: "x"}, 70},
		{"SIGINT", &steps.StepError{Err: interrupt}, 130},
		{"SIGTERM", errors.Join(&signalError{syscall.SIGTERM}, syscall.EBUSY), 143},
		{"SIGHUP during a panic", errors.Join(&steps.PanicError{}, &signalError{syscall.SIGHUP}), 129},
	} {
		if s := status(c.err); s != c.status {
			t.Errorf("%s: status %d, want %d", c.name, s, c.status)
		}
	}
	if left(nil) || left(errors.New(errQuit.Error())) {
		t.Error("what was not left is taken for it")
	}
}

// An error is one line, and leaving is none.
func TestExitText(t *testing.T) {
	for want, err := range map[string]error{
		"":                          errQuit,
		"ibtour: a; b\n":            errors.Join(errors.New("a"), errors.New("b")),
		"stack\nibtour: panic: 7\n": &steps.PanicError{Value: 7, Stack: []byte("stack")},
	} {
		var b strings.Builder
		(&app{err: &b}).exit(err)
		if b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

// A step that only knows that its context ended is told why.
func TestBecause(t *testing.T) {
	step := &steps.StepError{Stop: "server/accept", Err: fmt.Errorf("waiting: %w", context.Canceled)}
	ctx, cancel := context.WithCancelCause(t.Context())
	if err := because(ctx, step); !errors.Is(err, step) || status(err) != exitFailed {
		t.Errorf("a context that goes on gives %v", err)
	}
	cancel(&signalError{syscall.SIGINT})
	if err := because(ctx, step); status(err) != 130 || oneLine(err) != "ended by interrupt; server/accept: waiting: context canceled" {
		t.Errorf("%v, status %d", err, status(err))
	}
	if err := because(ctx, nil); err != nil {
		t.Errorf("a success gives %v", err)
	}
	if err := because(ctx, syscall.EBUSY); !errors.Is(err, syscall.EBUSY) || status(err) != exitFailed {
		t.Errorf("another error gives %v", err)
	}
	cause := context.Cause(ctx)
	if err := because(ctx, cause); oneLine(err) != "ended by interrupt" {
		t.Errorf("the cause itself gives %v", err)
	}
}

// A packet that cannot be parsed is shown, and no reason to stop.
func TestPacketText(t *testing.T) {
	here, there := netip.MustParseAddrPort("10.0.0.1:4791"), netip.MustParseAddrPort("10.0.0.2:4791")
	ack := []byte{0x11, 0x00, 0xFF, 0xFF, 0, 0, 0, 0x42, 0, 0, 0, 7, 0x1F, 0, 0, 2, 0, 0, 0, 0}
	text := english.packetText(trace.Packet{From: here, To: there, Data: ack, Note: "lost"})
	for _, s := range []string{"→ QP 0x000042  ACKNOWLEDGE  PSN 0x000007", "MSN 2", "(lost)"} {
		if !strings.Contains(text, s) {
			t.Errorf("no %q in %q", s, text)
		}
	}
	for n := range len(ack) {
		if text := english.packetText(trace.Packet{From: here, To: there, Data: ack[:n]}); !strings.HasPrefix(text, "10.0.0.1:4791 → 10.0.0.2:4791: ") {
			t.Errorf("%d bytes of a packet are shown as %q", n, text)
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ asked, all, messages, lang, want string }{
		{"", "", "", "", "en"},
		{"", "", "", "zh_CN.UTF-8", "zh"},
		{"", "C", "", "zh_CN.UTF-8", "en"},
		{"", "", "zh_TW", "de_DE", "zh"},
		{"zh", "C", "C", "C", "zh"},
		{"en", "zh_CN", "", "", "en"},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_MESSAGES", c.messages)
		t.Setenv("LANG", c.lang)
		if got, err := language(c.asked); err != nil || got != c.want {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
	if _, err := language("fr"); !isUsage(err) {
		t.Errorf("an unknown language gives %v", err)
	}
}

func TestPortTexts(t *testing.T) {
	for want, a := range map[string]verbs.PortAttr{
		"100 Gbit/s (4X at 25)":                 {ActiveWidth: 2, ActiveSpeed: 32},
		"2.5 Gbit/s (1X at 2.5)":                {ActiveWidth: 1, ActiveSpeed: 1},
		"400 Gbit/s (4X at 100)":                {ActiveWidth: 2, ActiveSpeed: 128},
		"unknown (width code 3, speed code 32)": {ActiveWidth: 3, ActiveSpeed: 32},
		"unknown (width code 16, speed code 0)": {ActiveWidth: 16, ActiveSpeed: 0},
	} {
		if got := english.rateOf(&a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, a := range map[string]verbs.PortAttr{
		"none (Ethernet: the GID is the address)":  {LinkLayer: verbs.LinkEthernet, LID: 1},
		"0 (no subnet manager has given one)":      {LinkLayer: verbs.LinkInfiniBand},
		"7 (given by the subnet manager at LID 1)": {LinkLayer: verbs.LinkInfiniBand, LID: 7, SMLID: 1},
	} {
		if got := english.lidOf(&a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
