package verbs

import (
	"errors"
	"time"

	"ibtour/verbs/trace"
)

// traced makes one call: it is shown to the tracer, which may hold or refuse
// it, then made, then shown with its result.
func traced(t trace.Tracer, op, object string, args []trace.Arg, do func() (string, error)) error {
	if t == nil {
		_, err := do()
		return wrap(op, object, err)
	}
	c := &trace.Call{Layer: trace.Verbs, Op: op, Object: object, Args: args, Repeat: 1}
	if err := t.Enter(c); err != nil {
		return err
	}
	c.Start = time.Now()
	result, err := do()
	c.Duration = time.Since(c.Start)
	c.Result = result
	if err = wrap(op, object, err); err != nil {
		c.Err = err
		var errno Errno
		if errors.As(err, &errno) {
			c.Errno = ErrnoText(errno)
		}
	}
	t.Leave(c)
	return err
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
