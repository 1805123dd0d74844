package tui

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/muesli/termenv"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// helperEnv makes the test binary a tour, for the tests in a terminal.
const helperEnv = "IBTOUR_TUI_HELPER"

func TestMain(m *testing.M) {
	runewidth.DefaultCondition.EastAsianWidth = false
	if os.Getenv(helperEnv) != "" {
		os.Exit(helper())
	}
	os.Exit(m.Run())
}

// helper is ibtour on soft0, as far as this package goes.
func helper() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if os.Getenv("TOUR_DEAF") != "" {
		signal.Ignore(syscall.SIGHUP)
	}
	cfg := Config{
		Stdin: os.Stdin, Stdout: os.Stdout, Opts: testOptions(), Lang: os.Getenv("TOUR_LANG"), Theme: Dark,
		At: os.Getenv("TOUR_AT"), SkipStart: os.Getenv("TOUR_START") == "",
		Devices: devices(softroce.Options{}),
	}
	cfg.Opts.TCPPort, _ = strconv.Atoi(os.Getenv("TOUR_PORT"))
	if n, err := strconv.Atoi(os.Getenv("TOUR_ITERS")); err == nil {
		cfg.Opts.Iters = n
	}
	tour := Run
	cfg.Tour = tornInto(os.Getenv("TOUR_TORN"))
	if manner := os.Getenv("TOUR_PANIC"); manner != "" {
		tour = panicking(manner)
	}
	if err := tour(ctx, cfg); err != nil {
		var panicked *steps.PanicError
		if errors.As(err, &panicked) {
			fmt.Fprintf(os.Stderr, "%s\n", panicked.Stack)
		}
		fmt.Fprintln(os.Stderr, "ibtour:", err)
		return 1
	}
	fmt.Println("left in order")
	return 0
}

// tornInto is the ping-pong that writes the steps of its tear-down to a file as
// they succeed.
func tornInto(file string) *steps.Tour {
	tour := steps.RCPingPong
	tour.Steps = slices.Clone(tour.Steps)
	for i := range tour.Steps {
		s := &tour.Steps[i]
		do := s.Do
		if s.Phase == steps.TearDown && file != "" {
			s.Do = func(ctx context.Context, e *steps.End) error {
				if err := do(ctx, e); err != nil {
					return err
				}
				f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(f, s.ID)
				return errors.Join(err, f.Close())
			}
		}
	}
	return &tour
}

func testOptions() steps.Options {
	o := steps.DefaultOptions()
	o.RxDepth, o.Iters = 16, 50
	o.Walk = true
	return o
}

// devices offers soft0.
func devices(o softroce.Options) func() ([]Device, error) {
	return func() ([]Device, error) {
		return []Device{{
			Name: "soft0", Detail: "ACTIVE, Ethernet", Soft: true,
			Open: func(p func(trace.Packet)) (verbs.Driver, error) {
				o.Trace = p
				return softroce.New(o), nil
			},
		}}, nil
	}
}

// inColour makes a model write in colours, though nothing says that they can be
// shown.
func inColour(m *model) {
	m.renderer.SetColorProfile(termenv.TrueColor)
	m.setTheme(Dark)
}

// testModel makes a model without a terminal.
func testModel(tb testing.TB, lang string) *model {
	tb.Helper()
	m, err := newModel(tb.Context(), Config{Stdout: io.Discard, Opts: testOptions(), Lang: lang, Theme: Dark})
	if err != nil {
		tb.Fatal(err)
	}
	m.pid, m.program = 4711, "/usr/local/bin/ibtour"
	return m
}
