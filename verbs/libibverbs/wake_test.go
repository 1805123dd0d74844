//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"errors"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

func TestTakeWaits(t *testing.T) {
	var fds [2]int
	ok(t, unix.Pipe2(fds[:], unix.O_NONBLOCK))
	defer func() { ok(t, errors.Join(unix.Close(fds[0]), unix.Close(fds[1]))) }()
	var b [1]byte
	var attempts int
	read := func() error {
		attempts++
		_, err := unix.Read(fds[0], b[:])
		if attempts == 1 {
			_ = must[int](t)(unix.Write(fds[1], []byte{42}))
		}
		return err
	}
	ok(t, take(fds[0], nil, read))
	if attempts != 2 || b[0] != 42 {
		t.Errorf("%d attempts, read %d", attempts, b[0])
	}
}

func TestTakeStops(t *testing.T) {
	var fds [2]int
	ok(t, unix.Pipe2(fds[:], unix.O_NONBLOCK))
	defer func() { ok(t, errors.Join(unix.Close(fds[0]), unix.Close(fds[1]))) }()
	stop, done := make(chan struct{}), make(chan error)
	go func() { done <- take(fds[0], stop, func() error { return syscall.EAGAIN }) }()
	close(stop)
	if err := <-done; !errors.Is(err, verbs.ErrStopped) {
		t.Errorf("got %v", err)
	}
}

func TestTakeFails(t *testing.T) {
	if err := take(-1, nil, func() error { return syscall.EIO }); !errors.Is(err, syscall.EIO) {
		t.Errorf("got %v", err)
	}
}
