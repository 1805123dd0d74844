//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

func ignorePipe() { signal.Ignore(syscall.SIGPIPE) }
