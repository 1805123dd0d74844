//go:build !linux

package capture

import (
	"errors"
	"testing"
)

func TestUnsupported(t *testing.T) {
	_, err := Open("lo0", func(Frame) {})
	if !errors.Is(err, errors.ErrUnsupported) || !errors.Is(Permitted(), errors.ErrUnsupported) {
		t.Errorf("Open: %v, Permitted: %v", err, Permitted())
	}
}
