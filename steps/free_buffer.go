package steps

import (
	"context"

	"ibtour/verbs/trace"
)

// freeBuffer gives the memory back to the system, now that no adapter writes
// to it any more.
func freeBuffer(_ context.Context, e *End) error {
	args := []trace.Arg{
		{Name: "addr", Value: hexadecimal(e.Buffer.Addr())}, {Name: "length", Value: decimal(e.Buffer.Len())},
	}
	return e.system("munmap", args, func() (string, error) {
		err := e.Buffer.Free()
		if err == nil {
			e.Buffer = nil
		}
		return returned(err), err
	})
}
