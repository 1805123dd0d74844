//go:build !windows

package exchange

import (
	"errors"
	"slices"
	"syscall"
)

// The reasons a socket call can fail for, in the numbers of this system.
func isRefused(err error) bool   { return isOneOf(err, syscall.ECONNREFUSED) }
func isInUse(err error) bool     { return isOneOf(err, syscall.EADDRINUSE) }
func isForbidden(err error) bool { return isOneOf(err, syscall.EACCES) }
func isTimedOut(err error) bool  { return isOneOf(err, syscall.ETIMEDOUT) }
func isBadZone(err error) bool   { return isOneOf(err, syscall.EINVAL, syscall.ENODEV, syscall.ENXIO) }

func isReset(err error) bool {
	return isOneOf(err, syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED)
}

func isNoRoute(err error) bool {
	return isOneOf(err, syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ENETDOWN, syscall.EHOSTDOWN, syscall.EADDRNOTAVAIL)
}

// isHostGone: the keepalive probes were not answered.
func isHostGone(err error) bool { return isTimedOut(err) || isNoRoute(err) }

func isOneOf(err error, which ...syscall.Errno) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && slices.Contains(which, errno)
}
