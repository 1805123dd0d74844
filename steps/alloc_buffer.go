package steps

import (
	"context"

	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// allocBuffer allocates the memory of the messages, whole pages, and fills it.
func allocBuffer(_ context.Context, e *End) error {
	args := []trace.Arg{
		{Name: "addr", Value: "NULL"},
		{Name: "length", Value: decimal(e.Opts.Size)},
		{Name: "prot", Value: "PROT_READ | PROT_WRITE"},
		{Name: "flags", Value: "MAP_PRIVATE | MAP_ANONYMOUS"},
		{Name: "fd", Value: "-1"},
		{Name: "offset", Value: "0"},
	}
	return e.system("mmap", args, func() (string, error) {
		buf, err := verbs.AllocBuffer(e.Opts.Size)
		if err != nil {
			return "MAP_FAILED", err
		}
		e.Buffer = buf
		for i := range buf.Bytes() {
			buf.Bytes()[i] = fill
		}
		return hexadecimal(buf.Addr()), nil
	})
}
