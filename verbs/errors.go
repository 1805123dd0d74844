package verbs

import (
	"errors"
	"fmt"
	"syscall"
)

// Errno is an error number of the operating system. It is never compared
// with ==; errors.Is(err, syscall.EINVAL) holds for every error of this
// package that carries EINVAL.
type Errno = syscall.Errno

// Error is a verb that failed. It is the first of three families: the call
// failed (Error), the work failed (CompletionError), the caller broke a rule
// of this package (ErrClosed and its siblings).
type Error struct {
	Op     string // the C name, to be looked up in section 3 of the manual
	Object string // what it acted on: "QP 0x000011 INIT→RTR"
	Errno  Errno  // the reason
	Hint   string // what most likely was wrong, empty if unknown
}

// Error returns one line such as
// "ibv_modify_qp QP 0x000011 INIT→RTR: EINVAL (invalid argument)".
func (e *Error) Error() string {
	s := e.Op
	if e.Object != "" {
		s += " " + e.Object
	}
	s += ": " + ErrnoText(e.Errno)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap returns the errno.
func (e *Error) Unwrap() error { return e.Errno }

// CompletionError is a work request that completed with an error status.
// Only these fields are valid in such a completion (ibv_poll_cq(3)).
type CompletionError struct {
	Status    WCStatus
	VendorErr uint32
	WRID      uint64
	QPN       QPN
}

// Error returns one line such as
// "work request 2 on QP 0x000011: IBV_WC_RETRY_EXC_ERR (12, transport retry counter exceeded)".
func (e *CompletionError) Error() string {
	s := fmt.Sprintf("work request %d on QP %v: %v (%d, %s)", e.WRID, e.QPN, e.Status, uint32(e.Status), e.Status.Text())
	if e.VendorErr != 0 {
		s += fmt.Sprintf(", vendor error 0x%x", e.VendorErr)
	}
	return s
}

// Misuse of this package, found before any device was asked.
var (
	// ErrClosed is returned by every method of an object after its Close.
	ErrClosed = errors.New("already closed")
	// ErrNoDevice is returned when no device has the name asked for.
	ErrNoDevice = errors.New("no such device")
	// ErrStopped is returned by a Batch that was told to stop.
	ErrStopped = errors.New("stopped")
)

// BusyError is returned by Close of an object that others still depend on.
// errors.Is(err, syscall.EBUSY) holds.
type BusyError struct {
	Object   string
	Children []string
}

// Error names the object and what still depends on it.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is still in use by %s", e.Object, listText(e.Children))
}

// Unwrap returns EBUSY.
func (e *BusyError) Unwrap() error { return syscall.EBUSY }

// closedError refuses a call on an object that is closed.
func closedError(op string, o fmt.Stringer) error { return fmt.Errorf("%s %s: %w", op, o, ErrClosed) }

func listText(items []string) string {
	const most = 4
	s := ""
	for i, it := range items {
		if i == most {
			return fmt.Sprintf("%s and %d more", s, len(items)-most)
		}
		if i > 0 {
			s += ", "
		}
		s += it
	}
	return s
}

// wrap gives an error of a driver its verb and object.
func wrap(op, object string, err error) error {
	if err == nil {
		return nil
	}
	var errno Errno
	if errors.As(err, &errno) {
		var already *Error
		if errors.As(err, &already) {
			return err
		}
		return &Error{Op: op, Object: object, Errno: errno}
	}
	if object == "" {
		return fmt.Errorf("%s: %w", op, err)
	}
	return fmt.Errorf("%s %s: %w", op, object, err)
}
