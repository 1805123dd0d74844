//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"runtime"
	"syscall"

	"github.com/ebitengine/purego"

	"ibtour/verbs"
)

// withErrno calls a C function and reads errno after it. errno belongs to the
// thread, so the goroutine must not change threads in between; it is zeroed
// first, because a call that succeeds leaves it alone. The third result of
// purego.SyscallN is not errno on Linux.
func (l *library) withErrno(f *function, args ...uintptr) (uintptr, verbs.Errno) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	loc, _, _ := purego.SyscallN(l.errnoLocation.addr)
	errno := at[int32](loc)
	*errno = 0
	r, _, _ := purego.SyscallN(f.addr, args...)
	return r, verbs.Errno(*errno)
}

// missing is the error of a call that the library does not have.
func missing(f *function) error {
	return &verbs.Error{
		Op: f.name, Object: "", Errno: syscall.EOPNOTSUPP,
		Hint: "the installed " + LibraryName + " does not have this function",
	}
}

// reason makes sure that a failure has a reason, even if the C function gave
// none.
func reason(e verbs.Errno) error {
	if e == 0 {
		return syscall.EIO
	}
	return e
}
