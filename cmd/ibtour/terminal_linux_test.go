//go:build !lab

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ibtour/steps"
	"ibtour/tui"
	"ibtour/tui/ttytest"
	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

func init() { programs["ibtour-stuck"], programs["ibtour-crashing"] = stuck, crashing }

// onTerminal runs a program of this test on a terminal, as if nobody had said
// anything about it.
func onTerminal(t *testing.T, name string, args ...string) *ttytest.Terminal {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CI=") || strings.HasPrefix(v, "COLORFGBG=")
	})
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	return ttytest.Start(t, cmd, 100, 30)
}

// asked counts the questions a program put to its terminal: for a colour, for
// the cursor, for what it is.
func asked(out string) (background, others int) {
	background = strings.Count(out, "\x1b]11;?")
	for _, q := range []string{"\x1b]10;?", "\x1b]12;?", "\x1b[6n", "\x1b[?6n", "\x1b[c", "\x1b[>c", "\x1b[5n", "$p"} {
		others += strings.Count(out, q)
	}
	return background, others
}

// Commands without a screen ask the terminal nothing. termenv would wait 5 s
// for each answer.
func TestNothingAsked(t *testing.T) {
	for _, line := range [][]string{
		{"devices"}, {"explain", "qp_rtr"}, {"--help"}, {"auto", "-d", "soft0", "-n", "20", "-p", freePort(t)},
	} {
		tm := onTerminal(t, "ibtour", line...)
		if s := tm.Status(); s != exitOK {
			t.Errorf("ibtour %q ends with %d:\n%s", line, s, tm.Output())
		}
		if background, others := asked(tm.Output()); background+others > 0 {
			t.Errorf("ibtour %q asks the terminal:\n%q", line, tm.Output())
		}
		tm.Restored()
	}
}

// The tour asks once for the background, draws without waiting for the answer,
// follows it when it comes, and takes no byte of it for a key.
func TestBackgroundAsked(t *testing.T) {
	const dark, light = "38;5;75m", "38;5;25m" // the accents
	tm := onTerminal(t, "ibtour", "-d", "soft0", "-p", freePort(t))
	tm.Wait("Discover 1 of")
	tm.Taken()
	if background, others := asked(tm.Output()); background != 1 || others != 0 {
		t.Errorf("the tour asks for the background %d times, and %d other questions", background, others)
	}
	if out := tm.Output(); !strings.Contains(out, dark) || strings.Contains(out, light) {
		t.Error("a terminal that has not answered is not taken for dark")
	}
	for _, piece := range []string{"\x1b", "]1", "1;rgb:ffff/ff", "ff/ffff\x1b", "\\?"} {
		tm.Type(piece)
	}
	tm.Wait("─ Keys") // what the key behind the answer asks for
	if out := tm.Output(); !strings.Contains(out, light) || strings.Contains(out, "does nothing here") {
		t.Errorf("the answer was not taken as one: %q", out)
	}
	tm.Type("\x03")
	if s := tm.Status(); s != exitOK {
		t.Errorf("the tour ends with %d", s)
	}
	tm.Restored()
}

// A theme that was chosen needs no question.
func TestThemeChosen(t *testing.T) {
	tm := onTerminal(t, "ibtour", "-d", "soft0", "--theme", "light", "-p", freePort(t))
	tm.Wait("Discover 1 of")
	if background, others := asked(tm.Output()); background+others > 0 {
		t.Errorf("it asks the terminal: %q", tm.Output())
	}
	tm.Signal(syscall.SIGTERM)
	if s := tm.Status(); s != exitSignal+int(syscall.SIGTERM) {
		t.Errorf("the tour ends with %d, want 143", s)
	}
	tm.Restored()
}

// stuck is ibtour with a step that nothing ends.
func stuck() {
	tour := steps.Tour{Name: "stuck", Steps: []steps.Step{{
		ID: "alloc_pd", Phase: steps.Allocate, Title: "hang", Do: func(context.Context, *steps.End) error {
			fmt.Print("in the call") // over the frame: the screen does not know when it is
			select {}
		},
	}}}
	onScreen(&tour, softroce.Options{})
}

// onScreen does what main and tour do, with another tour and device.
func onScreen(tour *steps.Tour, soft softroce.Options) {
	ctx, stop := withSignals(context.Background())
	defer stop()
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	opts := steps.DefaultOptions()
	os.Exit(a.exit(tui.Run(ctx, tui.Config{
		Stdin: a.in, Stdout: a.out, Opts: opts, Tour: tour, SkipStart: true, Theme: tui.Dark, Opened: opened,
		Devices: func() ([]tui.Device, error) {
			return []tui.Device{{Name: "soft0", Open: func(func(trace.Packet)) (verbs.Driver, error) {
				c, err := a.embedded(soft, &flags{opts: opts}, "")
				if err != nil {
					return nil, err
				}
				return c.Driver, nil
			}}}, nil
		},
	})))
}

// crashing is ibtour on a device with a goroutine that panics: the one that
// carries late packets.
func crashing() {
	onScreen(&steps.RCPingPong, softroce.Options{
		Hook: softroce.HookFunc(func(b []byte, deliver func([]byte, time.Duration)) { deliver(b, time.Microsecond) }),
		Trace: func(trace.Packet) {
			if strings.Contains(string(debug.Stack()), "carryLate") {
				panic("injected")
			}
		},
	})
}

// The second signal ends a tour that hangs in a call, and gives the terminal
// back.
func TestSecondSignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		tm := onTerminal(t, "ibtour-stuck")
		tm.Wait("in the call")
		tm.Taken()
		tm.Signal(sig)
		tm.Wait("Leaving: what was made")
		tm.Taken()
		tm.Signal(sig)
		if s := tm.Status(); s != exitSignal+int(sig) {
			t.Errorf("the second %v ends it with %d", sig, s)
		}
		tm.Restored()
	}
}

// A panic in a goroutine of the device cannot be recovered by the tour. The
// terminal is given back all the same, and then the panic is told of.
func TestDevicePanics(t *testing.T) {
	tm := onTerminal(t, "ibtour-crashing")
	tm.Wait("Discover 1 of")
	tm.Type("e")
	if s := tm.Status(); s != exitInternal {
		t.Errorf("it ends with %d", s)
	}
	tm.Restored()
	_, after, _ := strings.Cut(tm.Output(), "\x1b[?1049l")
	for _, want := range []string{"carryLate", "\r\nibtour: panic: injected\r\n"} {
		if !strings.Contains(after, want) {
			t.Errorf("no %q after the screen was left:\n%s", want, after)
		}
	}
}
