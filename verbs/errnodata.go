//go:build !(freebsd || openbsd || dragonfly)

package verbs

import "syscall"

// errNoData is what an empty GID table entry gives.
const errNoData = syscall.ENODATA
