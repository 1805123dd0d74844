//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"syscall"

	"github.com/ebitengine/purego"

	"ibtour/verbs"
)

// C verbs report failure in five ways; section 3 of the manual says which one
// a function has. Each way has one helper here and nobody else looks at a
// result. An int is the low half of the register: the rest is undefined.

// pointer calls a function that returns a pointer, or NULL and errno.
func (l *library) pointer(f *function, args ...uintptr) (uintptr, error) {
	if f.addr == 0 {
		return 0, missing(f)
	}
	p, errno := l.withErrno(f, args...)
	if p == 0 {
		return 0, reason(errno)
	}
	return p, nil
}

// status calls a function that returns 0 or the value of an errno. Some
// drivers return -1 and errno instead.
func (l *library) status(f *function, args ...uintptr) error {
	if f.addr == 0 {
		return missing(f)
	}
	r, errno := l.withErrno(f, args...)
	if int32(r) == -1 && errno != 0 {
		return errno
	}
	return statusError(int32(r))
}

// minusOne calls a function that returns 0, or -1 and errno.
func (l *library) minusOne(f *function, args ...uintptr) error {
	if f.addr == 0 {
		return missing(f)
	}
	r, errno := l.withErrno(f, args...)
	if int32(r) != 0 {
		return reason(errno)
	}
	return nil
}

// void calls a function that cannot fail.
func (l *library) void(f *function, args ...uintptr) uintptr {
	if f.addr == 0 {
		return 0
	}
	r, _, _ := purego.SyscallN(f.addr, args...)
	return r
}

// fastStatus is status for the data path: the arguments are a slice that the
// caller keeps, since a new one for each call would be a heap allocation.
func fastStatus(addr uintptr, args []uintptr) error {
	r, _, _ := purego.SyscallN(addr, args...)
	return statusError(int32(r))
}

// fastCount calls a function of the data path that returns a count, or a
// negative number without a reason.
func fastCount(addr uintptr, args []uintptr) (int, error) {
	r, _, _ := purego.SyscallN(addr, args...)
	return countError(int32(r))
}

func statusError(r int32) error {
	switch {
	case r == 0:
		return nil
	case r < 0:
		return verbs.Errno(-r)
	}
	return verbs.Errno(r)
}

func countError(r int32) (int, error) {
	if r < 0 {
		return 0, syscall.EIO
	}
	return int(r), nil
}
