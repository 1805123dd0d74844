package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ibtour/steps"
)

// errQuit is the end of a walk by its reader.
var errQuit = errors.New("left by the reader")

// pauser waits for Enter in front of the first call of each step, and in front
// of every call of a step that is entered.
type pauser struct {
	run    *steps.Runner
	on     bool
	from   int // first stop to wait at
	last   int // stop waited at last
	prompt io.Writer
	in     io.Reader
	lines  <-chan string // of in, once one is wanted
	say    *wording
}

// left reports whether a run ended only because its reader left it. That is
// no failure; an error of the tear-down that followed is.
func left(err error) bool {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range all.Unwrap() {
			if !left(e) {
				return false
			}
		}
		return true
	}
	return err != nil && (err == errQuit || left(errors.Unwrap(err))) //nolint:errorlint // of a tree with other errors errors.Is would say yes
}

// gate is a steps.Gate.
func (p *pauser) gate(ctx context.Context, m steps.Moment) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	// A step that all ends take together is held before it begins: once it
	// runs, no call of one end waits for the reader.
	entered := p.run.Entered(m.Stop.Index)
	if !p.on || m.Stop.Index < p.from || !entered && (m.Stop.Index == p.last || m.Call == nil && !m.Stop.Step.Together) {
		return nil
	}
	p.last = m.Stop.Index
	if p.lines == nil {
		p.lines = readLines(p.in)
	}
	for {
		fmt.Fprint(p.prompt, "   "+p.ask(m, entered))
		select {
		case line, open := <-p.lines:
			if again, err := p.obey(strings.TrimSpace(line), open, m, entered); !again {
				return err
			}
		case <-ctx.Done():
			fmt.Fprintln(p.prompt)
			return context.Cause(ctx)
		}
	}
}

// ask is what may be answered.
func (p *pauser) ask(m steps.Moment, entered bool) string {
	switch {
	case !entered:
		return p.say.prompt
	case m.Of > 0:
		return p.say.promptCall.With(m.Nth, m.Of)
	}
	return p.say.promptNth.With(m.Nth)
}

// obey does what a line asks for; again is true if it made no sense here.
func (p *pauser) obey(line string, open bool, m steps.Moment, entered bool) (again bool, err error) {
	switch {
	case !open:
		p.on = false // the end of the input: run on
		p.run.Leave()
		fmt.Fprintln(p.prompt)
	case line == "q":
		return false, &spoken{p.say.left, errQuit}
	case line == "i":
		p.run.Enter(m.Stop.Index)
	case line == "u" && !entered:
		fmt.Fprintln(p.prompt, "   "+p.say.notEntered)
		return true, nil
	case line == "u":
		p.run.Leave()
	}
	return false, nil
}

// readLines reads lines as they are wanted, so that a wait for one can be
// given up. It ends with the input.
func readLines(r io.Reader) <-chan string {
	ch := make(chan string)
	go func() {
		defer close(ch)
		for s := bufio.NewScanner(r); s.Scan(); {
			ch <- s.Text()
		}
	}()
	return ch
}
