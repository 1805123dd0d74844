package softroce

import (
	"errors"
	"syscall"
)

// The errors of the verbs, in the words of the C library.
const (
	errInval      = syscall.EINVAL
	errNoMem      = syscall.ENOMEM
	errBusy       = syscall.EBUSY
	errPerm       = syscall.EPERM
	errNotSupp    = syscall.EOPNOTSUPP
	errNoData     = syscall.ENODATA
	errNoDev      = syscall.ENODEV
	errMFile      = syscall.EMFILE
	errAddrInUse  = syscall.EADDRINUSE
	errNetUnreach = syscall.ENETUNREACH
)

// errnoOf finds the errno in an error of the operating system.
func errnoOf(err error) (errno syscall.Errno, ok bool) {
	ok = errors.As(err, &errno)
	return errno, ok
}
