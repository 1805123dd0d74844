//go:build lab

package libibverbs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"ibtour/verbs"
)

func TestLabDevice(t *testing.T) {
	ctx, dc := openLab(t)
	attr := must[verbs.DeviceAttr](t)(ctx.QueryDevice())
	if attr.PhysPortCnt != 1 || attr.MaxQP < 1024 || attr.MaxSGE != 32 || attr.NodeGUID != ctx.Info().GUID {
		t.Errorf("device attributes: %+v, GUID of the list %v", attr, ctx.Info().GUID)
	}
	info := ctx.Info()
	if info.NodeType != verbs.NodeCA || info.Transport != "IB" || info.GUID == 0 ||
		info.SysPath != "/sys/class/infiniband/rxe0" || info.UVerbs != "/dev/infiniband/uverbs0" {
		t.Errorf("device info: %+v", info)
	}
	port := must[verbs.PortAttr](t)(ctx.QueryPort(1))
	if port.State != verbs.PortActive || port.LinkLayer != verbs.LinkEthernet || port.ActiveMTU != verbs.MTU1024 ||
		port.PhysState != verbs.PhysLinkUp || port.GIDTblLen < 3 || port.LID != 0 || port.MaxMsgSz != 1<<23 {
		t.Errorf("port attributes: %+v", port)
	}
	fds := dc.FDs()
	if fds.Cmd < 3 || fds.Async < 3 || fds.Cmd == fds.Async {
		t.Errorf("file descriptors: %+v", fds)
	}
	for _, g := range must[[]verbs.GIDEntry](t)(ctx.PeekGIDs(1)) {
		if g.Type != verbs.GIDTypeRoCEv2 || g.Port != 1 || g.NetdevIndex < 1 {
			t.Errorf("GID entry: %+v", g)
		}
	}
}

// TestLabPingPong plays a few rounds with the plain calls, polling.
func TestLabPingPong(t *testing.T) {
	a, b := newPair(t, 4096)
	copy(a.buf.Bytes(), bytes.Repeat([]byte{0x7b}, 4096))
	ra, rb, sa, sb := a.recvWR(), b.recvWR(), a.sendWR(), b.sendWR()
	sa.Opcode, sa.Imm = verbs.WRSendWithImm, 0x01020304
	ok(t, a.qp.PostRecv(&ra))
	for i := range 10 {
		ok(t, b.qp.PostRecv(&rb))
		binary.LittleEndian.PutUint32(a.buf.Bytes(), uint32(i))
		ok(t, a.qp.PostSend(&sa))
		wc := b.spin(1)[0]
		want := verbs.WC{
			WRID: recvWRID, Opcode: verbs.WCRecv, ByteLen: 4096, Imm: 0x01020304,
			QPN: b.qp.Num(), Flags: verbs.WCWithImm | verbs.WCWithGRH, // rxe sets the latter on RC too
		}
		if wc != want {
			t.Fatalf("completion: got %+v, want %+v", wc, want)
		}
		if !bytes.Equal(a.buf.Bytes(), b.buf.Bytes()) {
			t.Fatal("data differ")
		}
		ok(t, b.qp.PostSend(&sb))
		b.spin(1)
		for _, wc := range a.spin(2) {
			ok(t, wc.Err())
		}
		ok(t, a.qp.PostRecv(&ra))
	}
	if q := a.qp.Queues(); q != (verbs.Queues{Sends: 10, SendsDone: 10, Recvs: 11, RecvsDone: 10}) {
		t.Errorf("queues: %+v", q)
	}
}

// TestLabEvents takes the completions by event.
func TestLabEvents(t *testing.T) {
	a, b := newPair(t, 64)
	rb, sa := b.recvWR(), a.sendWR()
	ok(t, b.cq.ReqNotify(false))
	ok(t, b.qp.PostRecv(&rb))
	ok(t, a.qp.PostSend(&sa))
	if cq := must[*verbs.CQ](t)(b.ch.GetEvent(t.Context())); cq != b.cq {
		t.Errorf("event of %v", cq)
	}
	ok(t, b.spin(1)[0].Err())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.ch.GetEvent(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped wait: %v", err)
	}
	if got := b.cq.Unacked(); got != 1 {
		t.Errorf("%d events to acknowledge, want 1", got)
	}
	a.spin(1)
}
