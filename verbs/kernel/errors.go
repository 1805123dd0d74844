package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// ErrNoRDMA is returned when the kernel does not know RDMA netlink: it was
// built without RDMA or the module ib_core is not loaded.
var ErrNoRDMA = errors.New("this kernel has no RDMA: no driver for an RDMA device is loaded")

// netlinkError says what was asked and what a refusal most likely means. The
// errno stays reachable for errors.Is.
func netlinkError(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("RDMA netlink, %s: %w; a sandbox or security policy forbids it, ordinary users may ask", what, err)
	default:
		return fmt.Errorf("RDMA netlink, %s: %w", what, err)
	}
}

// unknownCommand reports whether the kernel is too old for a request. nldev
// answers a command it does not have with EINVAL.
func unknownCommand(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported)
}
