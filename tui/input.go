package tui

import (
	"errors"
	"io"
	"os"
)

// errInput is the end of a tour that nobody can control any more.
var errInput = errors.New("the terminal is gone: its input has ended")

// typed is what is typed, without the answers of the terminal.
type typed struct {
	r      io.Reader
	filter answerFilter
	ended  func(error)
}

// Read leaves room for what the filter held.
func (t *typed) Read(b []byte) (n int, err error) {
	if len(b) < 2*mostAnswer {
		return 0, io.ErrShortBuffer
	}
	n, err = t.r.Read(b[:len(b)-mostAnswer])
	switch {
	case errors.Is(err, io.EOF):
		t.ended(errInput)
	case err != nil:
		t.ended(err)
	}
	return copy(b, t.filter.filter(b[:n])), err
}

// typedFile is the same of a file, whose reading can be given up.
type typedFile struct {
	*os.File
	typed
}

// Read is that of typed.
func (t *typedFile) Read(b []byte) (int, error) { return t.typed.Read(b) }
