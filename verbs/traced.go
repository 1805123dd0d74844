package verbs

import (
	"errors"
	"time"

	"ibtour/verbs/trace"
)

// Traced makes a call under a tracer, which may be nil: the call is shown to
// it, which may hold or refuse it, then made, then shown with its result.
func Traced(t trace.Tracer, c *trace.Call, do func() (result string, err error)) error {
	if t == nil {
		_, err := do()
		return err
	}
	c.Repeat = 1
	if err := t.Enter(c); err != nil {
		return err
	}
	c.Start = time.Now()
	c.Result, c.Err = do()
	c.Duration = time.Since(c.Start)
	var errno Errno
	if errors.As(c.Err, &errno) {
		c.Errno = ErrnoText(errno)
	}
	t.Leave(c)
	return c.Err
}

// traced makes one verb.
func traced(t trace.Tracer, op, object string, args []trace.Arg, do func() (string, error)) error {
	c := &trace.Call{Layer: trace.Verbs, Op: op, Object: object, Args: args}
	return Traced(t, c, func() (string, error) {
		result, err := do()
		return result, wrap(op, object, err)
	})
}

// zero is the result of the calls that return 0 for success.
func zero(err error) (string, error) {
	var errno Errno
	if errors.As(err, &errno) {
		return num(int(errno)), err
	}
	if err != nil {
		return "-1", err
	}
	return "0", nil
}
