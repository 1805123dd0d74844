package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"ibtour/steps"
	"ibtour/verbs"
)

// The exit statuses, as the help text documents them.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUsage    = 2
	exitNoDevice = 3
	exitDamaged  = 4
	exitInternal = 70
	exitSignal   = 128
)

// exit tells of an error in one line and returns the exit status.
func (a *app) exit(err error) int {
	if err == nil || left(err) {
		return exitOK
	}
	var panicked *steps.PanicError
	if errors.As(err, &panicked) {
		fmt.Fprintf(a.err, "%s\n", panicked.Stack)
	}
	fmt.Fprintf(a.err, "ibtour: %s\n", oneLine(err))
	return status(err)
}

func status(err error) int {
	var (
		sig      *signalError
		panicked *steps.PanicError
		data     *steps.DataError
	)
	switch {
	case err == nil, left(err):
		return exitOK
	case errors.As(err, &sig):
		return exitSignal + int(sig.sig)
	case errors.As(err, &panicked):
		return exitInternal
	case errors.As(err, &data):
		return exitDamaged
	case isUsage(err), isUnknownCommand(err):
		return exitUsage
	case errors.Is(err, errNoUsable), errors.Is(err, verbs.ErrNoDevice), errors.Is(err, syscall.ENOSYS):
		return exitNoDevice
	}
	return exitFailed
}

// isUnknownCommand recognises the one error of cobra that has no type.
func isUnknownCommand(err error) bool { return strings.HasPrefix(err.Error(), "unknown command") }

// oneLine joins the lines of several errors.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// keeper keeps the first error of a writer, for where each write cannot be
// looked after.
type keeper struct {
	io.Writer
	say *wording
	err error
}

func (a *app) keeper() *keeper { return &keeper{Writer: a.out, say: a.say()} }

func (k *keeper) Write(b []byte) (int, error) {
	n, err := k.Writer.Write(b)
	if err != nil && k.err == nil {
		k.err = k.say.stdout.Err(err)
	}
	return n, err
}

// terminalOut gives the terminal back, once a screen has taken it over. A
// process has one terminal, so this is one for the process.
var terminalOut atomic.Pointer[func()]

// opened is the Opened of a tui.Config.
func opened(restore func()) { terminalOut.Store(&restore) }

// terminalPatience is how long a terminal may take to be given back: one that
// does not read takes no bytes.
const terminalPatience = time.Second

// restoreTerminal gives the terminal back, if a screen has it.
func restoreTerminal() {
	restore := terminalOut.Load()
	if restore == nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		(*restore)()
	}()
	timer := time.NewTimer(terminalPatience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// endNow ends the process without a tear-down, which the kernel does then.
func endNow(status int) {
	restoreTerminal()
	os.Exit(status)
}

// panicked ends the process at a panic in a goroutine of the embedded device,
// whose state is then unknown: there is nothing that could be torn down.
func (a *app) panicked(value any, stack []byte) {
	restoreTerminal()
	os.Exit(a.exit(&steps.PanicError{Value: value, Stack: stack}))
}

// signalError is a signal that ended the run.
type signalError struct{ sig syscall.Signal }

func (e *signalError) Error() string { return "ended by " + e.sig.String() }

// because adds to the error of a run why its context ended, where a step only
// knows that it did.
func because(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if cause == nil || errors.Is(err, cause) || !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.Join(cause, err)
}

// withSignals returns a context that ends with a *signalError at the first
// SIGINT, SIGTERM or SIGHUP, so that everything is torn down. At the second
// one the process ends at once: the terminal is given back, and the kernel frees
// what is left. A broken pipe is an error of the write, not the end of the
// process.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	ignorePipe()
	done := make(chan struct{})
	go func() {
		for first := true; ; first = false {
			select {
			case s := <-ch:
				sig := s.(syscall.Signal)
				if !first {
					endNow(exitSignal + int(sig))
				}
				text := wordingIn(languageOf(os.Args[1:])).signal.With(sig)
				cancel(&spoken{text, &signalError{sig}})
			case <-done:
				return
			}
		}
	}()
	return ctx, func() {
		signal.Stop(ch)
		close(done)
		cancel(nil)
	}
}
