//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// take calls read, which must not wait, until it has something: between the
// attempts it waits until fd is readable. ErrStopped: stop was closed.
func take(fd int, stop <-chan struct{}, read func() error) error {
	for {
		err := read()
		if !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR) {
			return err
		}
		if err := waitReadable(fd, stop); err != nil {
			return err
		}
	}
}

// waitReadable waits until a file descriptor is readable or stop is closed.
// The thread waits in poll(2) for both: an eventfd stands for stop.
func waitReadable(fd int, stop <-chan struct{}) error {
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return err
	}
	done, joined := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(joined)
		select {
		case <-stop:
			signalFD(wake)
		case <-done:
		}
	}()
	defer func() {
		close(done)
		<-joined
		_ = unix.Close(wake)
	}()
	return pollBoth(fd, wake)
}

func pollBoth(fd, wake int) error {
	for {
		fds := []unix.PollFd{
			{Fd: int32(fd), Events: unix.POLLIN, Revents: 0},
			{Fd: int32(wake), Events: unix.POLLIN, Revents: 0},
		}
		switch _, err := unix.Poll(fds, -1); {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case fds[1].Revents != 0:
			return verbs.ErrStopped
		default:
			return nil
		}
	}
}

// signalFD makes an eventfd readable; writing 1 to one can only fail when it
// already is.
func signalFD(fd int) {
	_, _ = unix.Write(fd, binary.NativeEndian.AppendUint64(nil, 1))
}
