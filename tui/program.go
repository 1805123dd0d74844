package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ibtour/steps"
)

// program runs a model in a terminal. It is what bubbletea sees: the terminal
// and the panics are looked after here, the model knows of neither.
//
// A panic in Update, View, a command, or a goroutine of the run ends the
// program in order: the terminal is given back, what was made is torn down, and
// Run returns a *steps.PanicError with the stack.
type program struct {
	model *model
	term  *terminal
	tea   *tea.Program
	ends  bool // continued only to end: the terminal is somebody else's

	mu  sync.Mutex
	err error // why it ends, if not by its reader
}

// Messages of the terminal.
type (
	// suspendMsg asks for a stop: Ctrl-Z, or SIGTSTP.
	suspendMsg struct{}
	// resumedMsg says that the process was stopped by others and goes on.
	resumedMsg struct{}
)

// suspend is the command of the key that stops the program.
func suspend() tea.Msg { return suspendMsg{} }

// newProgram makes the program of a model.
func newProgram(m *model, in io.Reader, out io.Writer) *program {
	p := &program{model: m, term: newTerminal(in, out)}
	src := typed{r: in, ended: p.fail}
	src.filter.waits = m.cfg.Theme == Auto && p.term.in != nil && p.term.fd >= 0 && answersBackground(os.Getenv("TERM"))
	src.filter.heard = func(color string) {
		if isDark, ok := dark(color); ok {
			p.tea.Send(backgroundMsg{isDark})
		}
	}
	m.asks = src.filter.waits
	var input io.Reader = &src
	if f, ok := in.(*os.File); ok {
		input = &typedFile{f, src}
	}
	// The option of the mouse only matters to consoles, where it is a mode of
	// the input; the sequences are ours.
	p.tea = tea.NewProgram(p, tea.WithInput(input), tea.WithOutput(out), tea.WithoutRenderer(),
		tea.WithMouseCellMotion(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	m.send, m.guard = p.tea.Send, p.guard
	return p
}

// run shows the model until it quits. The terminal is as before when it returns.
func (p *program) run(ctx context.Context) (err error) {
	if p.model.cfg.Opened != nil {
		p.model.cfg.Opened(p.term.leave)
	}
	defer func() { err = p.reason(err) }()
	defer p.term.leave()
	if err := p.enter(); err != nil {
		return err
	}
	if p.model.asks {
		if err := p.term.ask(backgroundQuestion); err != nil {
			return err
		}
	}
	unhook := context.AfterFunc(ctx, func() {
		p.tea.Send(endMsg{})
		time.AfterFunc(grace, p.tea.Quit)
	})
	defer unhook()
	done := make(chan struct{})
	defer close(done)
	go p.watch(done)
	defer p.guard()
	_, err = p.tea.Run()
	return err
}

// enter takes the terminal over, and its size.
func (p *program) enter() error {
	if err := p.term.enter(); err != nil {
		return err
	}
	if s := p.sized(); s.Width > 0 {
		p.model.Update(s)
	}
	return nil
}

// sized returns the size of the terminal as a message, 0 where it is not known.
func (p *program) sized() tea.WindowSizeMsg {
	w, h := p.term.size()
	return tea.WindowSizeMsg{Width: w, Height: h}
}

// Init begins with the commands of the model.
func (p *program) Init() tea.Cmd { return p.guarded(p.model.Init()) }

// Update handles what concerns the terminal, and passes the rest on.
func (p *program) Update(msg tea.Msg) (self tea.Model, cmd tea.Cmd) {
	self = p
	defer p.guard()
	if p.reason(nil) != nil {
		return p, nil // the model may be broken
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.term.forget()
		_, cmd = p.model.Update(msg)
	case suspendMsg:
		p.suspend()
	case resumedMsg:
		if !p.ends {
			p.try(p.enter())
		}
	default:
		_, cmd = p.model.Update(msg)
	}
	return p, p.guarded(cmd)
}

// View draws the frame. bubbletea, which has no renderer, asks for it once after
// every message.
func (p *program) View() string {
	defer p.guard()
	if p.reason(nil) == nil {
		p.try(p.term.draw(p.model.View()))
	}
	return ""
}

// suspend gives the terminal back and stops.
func (p *program) suspend() {
	if !canStop() {
		p.model.flash = fmt.Sprintf(p.model.text.wrongKey, "ctrl+z")
		return
	}
	p.term.leave()
	if p.ends = stop(); !p.ends {
		p.try(p.enter())
	}
}

// guarded returns a command whose panic ends the program in order.
func (p *program) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer p.guard()
		return cmd()
	}
}

// guard is deferred where a panic could come up.
func (p *program) guard() {
	if v := recover(); v != nil {
		p.fail(&steps.PanicError{Value: v, Stack: debug.Stack()})
	}
}

func (p *program) try(err error) {
	if err != nil {
		p.fail(err)
	}
}

// fail ends the program. It may be called from everywhere, the loop included.
func (p *program) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
		go p.tea.Quit()
	}
}

// reason returns why the program ends, or err.
func (p *program) reason(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.err
	}
	return err
}
