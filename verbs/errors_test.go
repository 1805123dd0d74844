package verbs_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"ibtour/verbs"
)

func TestErrnoName(t *testing.T) {
	for e, name := range map[verbs.Errno]string{
		syscall.EINVAL: "EINVAL", syscall.ENOMEM: "ENOMEM", syscall.EBUSY: "EBUSY", syscall.EAGAIN: "EAGAIN",
		syscall.EOPNOTSUPP: "EOPNOTSUPP", syscall.EPERM: "EPERM", syscall.ENOSYS: "ENOSYS", syscall.ENODEV: "ENODEV",
		syscall.ETIMEDOUT: "ETIMEDOUT", syscall.ENETUNREACH: "ENETUNREACH", syscall.EHOSTUNREACH: "EHOSTUNREACH",
		syscall.EADDRINUSE: "EADDRINUSE", syscall.EMFILE: "EMFILE", syscall.EFAULT: "EFAULT", syscall.EACCES: "EACCES",
		syscall.ENOENT: "ENOENT", syscall.EINTR: "EINTR", syscall.EIO: "EIO", syscall.ECONNREFUSED: "ECONNREFUSED",
		7777: "errno 7777",
	} {
		if got := verbs.ErrnoName(e); got != name {
			t.Errorf("errno %d is %q, want %q", int(e), got, name)
		}
	}
	if s := verbs.ErrnoText(syscall.EINVAL); s != "EINVAL (invalid argument)" {
		t.Errorf("EINVAL is %q", s)
	}
	if s := verbs.ErrnoText(7777); !strings.HasPrefix(s, "errno 7777 (") {
		t.Errorf("an unknown errno is %q", s)
	}
}

func TestErrorText(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{
			&verbs.Error{Op: "ibv_modify_qp", Object: "QP 0x000011 INIT→RTR", Errno: syscall.EINVAL},
			"ibv_modify_qp QP 0x000011 INIT→RTR: EINVAL (invalid argument)",
		},
		{
			&verbs.Error{Op: "ibv_reg_mr", Errno: syscall.EPERM, Hint: "ulimit -l is 0"},
			"ibv_reg_mr: EPERM (operation not permitted); ulimit -l is 0",
		},
		{
			&verbs.CompletionError{Status: verbs.WCRetryExcErr, WRID: 2, QPN: 0x11},
			"work request 2 on QP 0x000011: IBV_WC_RETRY_EXC_ERR (12, transport retry counter exceeded)",
		},
		{
			&verbs.CompletionError{Status: verbs.WCGeneralErr, WRID: 1<<64 - 1, QPN: 0xFFFFFF, VendorErr: 0x81},
			"work request 18446744073709551615 on QP 0xffffff: IBV_WC_GENERAL_ERR (21, general error), vendor error 0x81",
		},
		{&verbs.BusyError{Object: "context rxe0", Children: []string{"PD"}}, "context rxe0 is still in use by PD"},
		{
			&verbs.BusyError{Object: "PD", Children: []string{"a", "b", "c", "d"}},
			"PD is still in use by a, b, c, d",
		},
		{
			&verbs.BusyError{Object: "PD", Children: []string{"a", "b", "c", "d", "e", "f"}},
			"PD is still in use by a, b, c, d and 2 more",
		},
	} {
		if s := c.err.Error(); s != c.want {
			t.Errorf("%q, want %q", s, c.want)
		}
	}
}

func TestErrorIs(t *testing.T) {
	for _, c := range []struct {
		err    error
		is     error
		member bool
	}{
		{&verbs.Error{Errno: syscall.ENOMEM}, syscall.ENOMEM, true},
		{&verbs.Error{Errno: syscall.ENOMEM}, syscall.EINVAL, false},
		{&verbs.BusyError{}, syscall.EBUSY, true},
		{&verbs.TransitionError{}, syscall.EINVAL, true},
		{&verbs.CompletionError{Status: verbs.WCWRFlushErr}, syscall.EINVAL, false},
	} {
		if errors.Is(c.err, c.is) != c.member {
			t.Errorf("errors.Is(%T, %v) is not %v", c.err, c.is, c.member)
		}
	}
	wc := verbs.WC{Status: verbs.WCRemAccessErr, WRID: 4, QPN: 5, VendorErr: 6, Opcode: 99}
	var ce *verbs.CompletionError
	if err := wc.Err(); !errors.As(err, &ce) || *ce != (verbs.CompletionError{Status: 10, WRID: 4, QPN: 5, VendorErr: 6}) {
		t.Errorf("the error of a completion is %+v", ce)
	}
	if err := (&verbs.WC{WRID: 4}).Err(); err != nil {
		t.Errorf("a success has the error %v", err)
	}
}
