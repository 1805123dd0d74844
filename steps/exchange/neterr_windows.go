//go:build windows

package exchange

import (
	"errors"
	"slices"
	"syscall"

	"golang.org/x/sys/windows"
)

// The reasons a socket call can fail for, in the numbers of this system.
func isRefused(err error) bool   { return isOneOf(err, windows.WSAECONNREFUSED) }
func isInUse(err error) bool     { return isOneOf(err, windows.WSAEADDRINUSE) }
func isForbidden(err error) bool { return isOneOf(err, windows.WSAEACCES) }
func isTimedOut(err error) bool  { return isOneOf(err, windows.WSAETIMEDOUT) }
func isBadZone(err error) bool   { return isOneOf(err, windows.WSAEINVAL, windows.WSAEADDRNOTAVAIL) }

func isReset(err error) bool {
	return isOneOf(err, windows.WSAECONNRESET, windows.WSAECONNABORTED)
}

func isNoRoute(err error) bool {
	return isOneOf(err, windows.WSAEHOSTUNREACH, windows.WSAENETUNREACH, windows.WSAENETDOWN, windows.WSAEHOSTDOWN, windows.WSAEADDRNOTAVAIL)
}

// isHostGone: the keepalive probes were not answered.
func isHostGone(err error) bool { return isTimedOut(err) || isNoRoute(err) }

func isOneOf(err error, which ...syscall.Errno) bool {
	var errno syscall.Errno
	return errors.As(err, &errno) && slices.Contains(which, errno)
}
