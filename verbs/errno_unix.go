//go:build unix

package verbs

import "golang.org/x/sys/unix"

func errnoName(e Errno) string { return unix.ErrnoName(e) }
