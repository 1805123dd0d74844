//go:build lab

package libibverbs

import (
	"errors"
	"net/netip"
	"syscall"
	"testing"

	"ibtour/verbs"
)

func wantErrno(t *testing.T, what string, err error, want syscall.Errno) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %s", what, err, verbs.ErrnoText(want))
	}
}

func TestLabQueryErrors(t *testing.T) {
	ctx, _ := openLab(t)
	for _, port := range []uint8{0, 2, 255} {
		_, err := ctx.QueryPort(port)
		wantErrno(t, "port", err, syscall.EINVAL)
	}
	attr := must[verbs.PortAttr](t)(ctx.QueryPort(1))
	_, err := ctx.QueryGID(1, attr.GIDTblLen-1)
	wantErrno(t, "empty entry", err, syscall.ENODATA)
	_, err = ctx.QueryGID(1, attr.GIDTblLen)
	wantErrno(t, "entry past the table", err, syscall.EINVAL)
	_, err = ctx.QueryGID(1, -1)
	wantErrno(t, "entry -1", err, syscall.EINVAL)
	_, err = ctx.QueryGID(2, 0)
	wantErrno(t, "entry of port 2", err, syscall.EINVAL)
}

func TestLabCreateErrors(t *testing.T) {
	e := newEnd(t, 4096)
	attr := must[verbs.DeviceAttr](t)(e.ctx.QueryDevice())
	_, err := e.ctx.CreateCQ(0, nil)
	wantErrno(t, "CQ of 0", err, syscall.EINVAL)
	_, err = e.ctx.CreateCQ(attr.MaxCQE+1, nil)
	wantErrno(t, "CQ larger than the device's", err, syscall.EINVAL)
	_, err = e.pd.RegMR(e.buf, verbs.AccessRemoteWrite)
	wantErrno(t, "remote writing without local writing", err, syscall.EINVAL)
	_, err = e.pd.RegMR(must[*verbs.Buffer](t)(verbs.AllocBuffer(0)), verbs.AccessLocalWrite)
	wantErrno(t, "no bytes", err, syscall.EINVAL)
	cfg := verbs.QPConfig{SendCQ: e.cq, RecvCQ: e.cq, Type: verbs.QPTRC, Cap: verbs.QPCap{MaxSendWR: uint32(attr.MaxQPWR) + 1}}
	_, err = e.pd.CreateQP(cfg)
	wantErrno(t, "QP larger than the device's", err, syscall.EINVAL)
	cfg.Cap, cfg.Type = verbs.QPCap{}, verbs.QPTXRCSend
	_, err = e.pd.CreateQP(cfg)
	wantErrno(t, "QP of a type the device has not", err, syscall.EOPNOTSUPP)
}

// TestLabBusy destroys parents before their children, behind the back of
// package verbs, which would refuse or name the children.
func TestLabBusy(t *testing.T) {
	e := newEnd(t, 4096)
	wantErrno(t, "PD", e.pd.Close(), syscall.EBUSY)
	wantErrno(t, "CQ", e.cq.Close(), syscall.EBUSY)
	wantErrno(t, "channel", e.ch.Close(), syscall.EBUSY)
	wantErrno(t, "context", e.ctx.Close(), syscall.EBUSY)
	ok(t, e.qp.Close())
	ok(t, e.cq.Close())
	ok(t, e.ch.Close())
	wantErrno(t, "PD with an MR", e.pd.Close(), syscall.EBUSY)
}

func TestLabModifyErrors(t *testing.T) {
	e := newEnd(t, 4096)
	attr := e.rtrAttr(e)
	wantErrno(t, "RESET to RTR", e.qp.Modify(attr, rtrMask), syscall.EINVAL)
	wantErrno(t, "port 2", e.qp.Modify(verbs.QPAttr{State: verbs.QPSInit, PortNum: 2}, initMask), syscall.EINVAL)
	wantErrno(t, "no port", e.qp.Modify(verbs.QPAttr{State: verbs.QPSInit}, initMask&^verbs.AttrPort), syscall.EINVAL)
	ok(t, e.init())

	noGRH := attr
	noGRH.AH.IsGlobal = false
	wantErrno(t, "no GRH on RoCE", e.qp.Modify(noGRH, rtrMask), syscall.EINVAL)
	empty := attr
	empty.AH.GRH.SGIDIndex = 255
	wantErrno(t, "empty GID index", e.qp.Modify(empty, rtrMask), syscall.ENODATA)
	silent := attr
	silent.AH.GRH.DGID = verbs.GIDOf(netip.MustParseAddr("10.0.0.99"))
	wantErrno(t, "nobody has the address", e.qp.Modify(silent, rtrMask), syscall.ETIMEDOUT)
	wantErrno(t, "INIT to RTS", e.rts(), syscall.EINVAL)
	if got := must[verbs.QPAttr](t)(e.qp.Query(verbs.AttrState)).State; got != verbs.QPSInit {
		t.Errorf("after all this the QP is in %v", got)
	}
}

func TestLabPostErrors(t *testing.T) {
	e := newEnd(t, 4096)
	r, s := e.recvWR(), e.sendWR()
	wantErrno(t, "receive in RESET", e.qp.PostRecv(&r), syscall.EINVAL)
	ok(t, e.init())
	wantErrno(t, "send in INIT", e.qp.PostSend(&s), syscall.EINVAL)
	many := make([]verbs.SGE, e.qp.Cap().MaxRecvSGE+7)
	wantErrno(t, "too many SGEs", e.qp.PostRecv(&verbs.RecvWR{SGList: many}), syscall.EINVAL)
	// rxe has more room than it grants at creation; the query tells.
	for range must[verbs.QPAttr](t)(e.qp.Query(verbs.AttrCap)).Cap.MaxRecvWR {
		ok(t, e.qp.PostRecv(&r))
	}
	wantErrno(t, "receive in a full queue", e.qp.PostRecv(&r), syscall.ENOMEM)
}
