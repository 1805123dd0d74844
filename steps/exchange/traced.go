package exchange

import (
	"errors"
	"net"
	"os"
	"strconv"
	"syscall"

	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// traced makes one system call: it is shown to the tracer, which may hold it
// as long as it likes or refuse it, then made, then shown with its result.
// Several reads or retries that serve one message are shown as one call.
func (c *Config) traced(op, object string, args []trace.Arg, do func() (string, error)) error {
	call := &trace.Call{Layer: trace.System, Op: op, Object: object, Args: args}
	return verbs.Traced(c.Tracer, call, do)
}

// tracedClose closes a socket even if the tracer refuses: a run that is
// stopped must leave nothing behind. Closing twice is no error.
func (c *Config) tracedClose(fd, object string, shut func() error) error {
	closed := false
	once := func() (string, error) {
		closed = true
		if err := shut(); err != nil && !errors.Is(err, net.ErrClosed) {
			return "-1", bare(err)
		}
		return "0", nil
	}
	err := c.traced("close", object, []trace.Arg{{Name: "fd", Value: fd}}, once)
	if !closed {
		_, late := once()
		err = errors.Join(err, late)
	}
	return err
}

// fdOf returns the number of a socket, -1 if it has none.
func fdOf(socket any) int {
	fd := -1
	s, ok := socket.(syscall.Conn)
	if !ok {
		return fd
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return fd
	}
	_ = raw.Control(func(p uintptr) { fd = int(p) }) // fails only on a closed socket
	return fd
}

// cText returns bytes as a C string literal. Its closing quote stands for the
// last NUL.
func cText(b []byte) string {
	if n := len(b); n > 0 && b[n-1] == 0 {
		b = b[:n-1]
	}
	return strconv.Quote(string(b))
}

// bare strips the layers the net package puts around an errno: operation and
// addresses are in the PeerError already.
func bare(err error) error {
	var errno syscall.Errno
	switch {
	case errors.As(err, &errno):
		return errnoError{errno}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return os.ErrDeadlineExceeded
	case errors.Is(err, net.ErrClosed):
		return net.ErrClosed
	}
	return err
}

// errnoError prints an errno with its name, "ECONNREFUSED (connection refused)".
type errnoError struct{ syscall.Errno }

func (e errnoError) Error() string { return verbs.ErrnoText(e.Errno) }

func (e errnoError) Unwrap() error { return e.Errno }
