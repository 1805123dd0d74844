//go:build freebsd || openbsd || dragonfly

package verbs

import "syscall"

// errNoData is what an empty GID table entry gives. These systems have no
// ENODATA; their nearest is this.
const errNoData = syscall.ENOATTR
