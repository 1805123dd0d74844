package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/mattn/go-runewidth"

	"ibtour/annotations"
	"ibtour/steps"
	"ibtour/tui/hush"
	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// Device is one device a tour can run on.
type Device struct {
	Name     string
	Detail   string // state, link layer, GID that would be used: one line
	Unusable string // why no ping-pong runs on it, empty if one does
	Note     string // what to know when it is taken, in a line: why it is offered, and what is missing for another
	// Soft says that it tells of its packets: Open passes them on. Those of
	// others are captured where that is possible.
	Soft bool
	// Open opens the way to the device. A software device calls packets for
	// every packet it sends or receives; others ignore it.
	Open func(packets func(trace.Packet)) (verbs.Driver, error)
	// Record opens the file for the packets of a device of the kernel, where
	// they can be captured; nil means none.
	Record func() (io.Writer, error)
}

// Config says what tour to show, and where.
type Config struct {
	Stdin  io.Reader
	Stdout io.Writer

	Tour *steps.Tour // nil means steps.RCPingPong
	Opts steps.Options
	// Roles are the ends of this process; nil means both.
	Roles []steps.Role
	// Devices finds the devices, the best first. It is called once, from its
	// own goroutine.
	Devices func() ([]Device, error)
	// Device is the one to use where the start screen is skipped, or to offer
	// first: a name; empty for the first usable one.
	Device string

	Lang      string // "en" or "zh"; empty means English
	Theme     Theme
	At        string // run on to this step, such as qp_rtr or client/qp_rtr
	SkipStart bool   // the command line has answered everything
	Presenter bool

	// Opened, if it is set, is called when the terminal is taken over, with the
	// function that gives it back: for whoever has to end the process at once.
	// That may be called at any moment, from any goroutine, and again; it may
	// wait for a terminal that does not read.
	Opened func(restore func())
}

// grace is how long a run may take to tear down once its context has ended.
const grace = 5 * time.Second

func init() { hush.Over() }

// Run shows the tour until its reader leaves or ctx ends, and gives the
// terminal back as it was. Whatever was made is torn down before it returns.
// The error is that of the run, the cause of ctx, or a *steps.PanicError.
func Run(ctx context.Context, cfg Config) error {
	runewidth.DefaultCondition.EastAsianWidth = false
	m, err := newModel(ctx, cfg)
	if err != nil {
		return err
	}
	return m.play(ctx)
}

// play shows a model in the terminal of its configuration.
func (m *model) play(ctx context.Context) error {
	err := newProgram(m, m.cfg.Stdin, m.cfg.Stdout).run(ctx)
	m.close()
	var panicked *steps.PanicError
	switch {
	case errors.As(err, &panicked):
		return err
	case err != nil && hungUp(ctx):
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("the screen: %w", err)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case m.hist != nil && m.hist.err != nil && !errors.Is(m.hist.err, errLeft):
		return m.hist.err
	}
	return nil
}

// hungUp tells whether the context ends, or has just: a terminal that goes away
// says so by a signal too, which is the better reason.
func hungUp(ctx context.Context) bool {
	timer := time.NewTimer(100 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return true
	case <-timer.C:
		return false
	}
}

// errLeft is the end of a run by its reader.
var errLeft = errors.New("left by the reader")

// endMsg says that the context of the tour has ended.
type endMsg struct{}

// newModel makes the model of a tour.
func newModel(ctx context.Context, cfg Config) (*model, error) {
	if cfg.Lang == "" {
		cfg.Lang = annotations.English
	}
	if cfg.Tour == nil {
		cfg.Tour = &steps.RCPingPong
	}
	t, ok := texts[cfg.Lang]
	if !ok {
		return nil, fmt.Errorf("there is no language %q: it is en or zh", cfg.Lang)
	}
	m := &model{
		ctx: ctx, cfg: cfg, opts: cfg.Opts, roles: cfg.Roles, text: t, keys: newKeyMap(&t.keys),
		renderer: lipgloss.NewRenderer(cfg.Stdout), books: map[string]*annotations.Book{},
		send: func(tea.Msg) {}, guard: func() {}, pid: os.Getpid(), focus: panelNote, side: panelObjects, presenter: cfg.Presenter,
	}
	m.opts.Walk = true
	if file, err := os.Executable(); err == nil {
		m.program = file
	}
	if len(m.roles) == 0 {
		m.roles = []steps.Role{steps.Server, steps.Client}
	}
	for _, lang := range annotations.Languages() {
		b, err := annotations.Load(lang)
		if err != nil {
			return nil, err
		}
		m.books[lang] = b
	}
	theme := cfg.Theme
	if theme == Auto {
		theme = Light
		if darkByDefault() { // until the terminal answers
			theme = Dark
		}
	}
	m.setTheme(theme)
	m.start = newStartScreen(m)
	return m, nil
}

// close ends the run, if there is one, and waits until all is destroyed.
func (m *model) close() {
	if m.run == nil {
		return
	}
	m.run.cancel(errLeft)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-m.run.ended:
	case <-timer.C:
	}
}
