//go:build !linux

package capture

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/net/bpf"
)

type rawInstruction = bpf.RawInstruction

const oobLen = 0

var errOS = fmt.Errorf("packets are captured on Linux only, this is %s: %w", runtime.GOOS, errors.ErrUnsupported)

func openSocket(string) (*os.File, error)        { return nil, errOS }
func trySocket() error                           { return errOS }
func attachFilter(int, []rawInstruction) error   { return errOS }
func receive(int, []byte, []byte) (Frame, error) { return Frame{}, errOS }
func readStats(int) (Stats, error)               { return Stats{}, errOS }
