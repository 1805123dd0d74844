//go:build unix

package verbs

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// errnoName looks the name up. Of the names that share a number it prefers
// those of the manual pages of the verbs.
func errnoName(e Errno) string {
	if e == syscall.EOPNOTSUPP { // ENOTSUP on Linux
		return "EOPNOTSUPP"
	}
	if e == syscall.EAGAIN { // EWOULDBLOCK
		return "EAGAIN"
	}
	return unix.ErrnoName(e)
}
