//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// watch passes on what the kernel says of the terminal, until done is closed:
// another size, a wish to stop, and that the process goes on after a stop.
func (p *program) watch(done <-chan struct{}) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGTSTP, syscall.SIGCONT)
	defer signal.Stop(signals)
	for {
		select {
		case <-done:
			return
		case s := <-signals:
			switch s {
			case syscall.SIGWINCH:
				if size := p.sized(); size.Width > 0 {
					p.tea.Send(size)
				}
			case syscall.SIGTSTP:
				p.tea.Send(suspendMsg{})
			default:
				p.tea.Send(resumedMsg{})
			}
		}
	}
}

// canStop tells whether somebody could continue us. In the process group of the
// session leader, as in a terminal opened for this program alone, there is no
// shell that would, and the kernel does not stop it either (setpgid(2),
// "orphaned process group").
func canStop() bool {
	session, err := unix.Getsid(0)
	return err == nil && session != unix.Getpgrp()
}

// stop stops the process group, as the terminal does at Ctrl-Z. It returns when
// the process goes on, and tells whether it has to end then: a shell continues
// what it ends, in the background, where touching the terminal would stop us
// again. It is SIGSTOP because the Go runtime ignores a SIGTSTP that was asked
// for once.
func stop() (ends bool) {
	// Signals that wait together come in the order of their numbers, so that a
	// wish to end is here before SIGCONT.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGCONT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	defer signal.Stop(signals)
	if syscall.Kill(0, syscall.SIGSTOP) != nil {
		return false
	}
	for s := range signals {
		if s == syscall.SIGCONT {
			break
		}
		ends = true
	}
	return ends
}
