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

// pauser waits for Enter in front of the first call of each step.
type pauser struct {
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
	if !p.on || m.Stop.Index < p.from || m.Stop.Index == p.last || (m.Call == nil && !m.Stop.Step.Together) {
		return nil
	}
	p.last = m.Stop.Index
	fmt.Fprint(p.prompt, "   "+p.say.prompt)
	if p.lines == nil {
		p.lines = readLines(p.in)
	}
	select {
	case line, open := <-p.lines:
		if !open {
			p.on = false // the end of the input: run on
			fmt.Fprintln(p.prompt)
		}
		if strings.TrimSpace(line) == "q" {
			return &spoken{p.say.left, errQuit}
		}
		return nil
	case <-ctx.Done():
		fmt.Fprintln(p.prompt)
		return context.Cause(ctx)
	}
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
