//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"syscall"
	"testing"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// fakeDevice stands for a device: its C functions are Go functions that follow
// a script. The functions are made once, since purego never frees them.
type fakeDevice struct {
	*deviceContext
	qp *qp
	cq *cq
	ch *channel

	polls  []fakePoll // what the next calls of poll_cq give
	calls  []string   // every call, in order
	posts  int        // calls of post_send and post_recv so far
	failAt int        // the post that fails, counted from 1
	fail   int32      // with this
	errnos []syscall.Errno
}

type fakePoll struct {
	wcs    []cWC
	result int32 // if negative, instead of wcs
	during func()
}

// fake is the device that the C functions work on; the tests that use it do
// not run in parallel.
var fake *fakeDevice

var (
	fakePollCQ = purego.NewCallback(func(cq uintptr, n int32, wc uintptr) uintptr { return fake.pollCQ(cq, n, wc) })
	fakeSend   = purego.NewCallback(func(qp, wr, bad uintptr) uintptr { return fake.post("send", qp, at[cSendWR](wr).wrID) })
	fakeRecv   = purego.NewCallback(func(qp, wr, bad uintptr) uintptr { return fake.post("recv", qp, at[cRecvWR](wr).wrID) })
	fakeNotify = purego.NewCallback(func(cq uintptr, solicited int32) uintptr { return fake.notify(cq, solicited) })
	fakeEvent  = purego.NewCallback(func(ch, cq, ctx uintptr) uintptr { return fake.event(ch, cq) })
)

// highBits is rubbish in the upper half of a register that returns an int.
const highBits = 0xdeadbeef << 32

func ret(r int32) uintptr { return highBits | uintptr(uint32(r)) }

func (f *fakeDevice) pollCQ(cq uintptr, n int32, wc uintptr) uintptr {
	f.calls = append(f.calls, "poll")
	if cq != f.cq.addr || len(f.polls) == 0 {
		return ret(-99)
	}
	p := f.polls[0]
	if p.during != nil {
		p.during()
	}
	if p.result < 0 || len(p.wcs) == 0 {
		f.polls = f.polls[1:]
		return ret(p.result)
	}
	took := copy(array[cWC](wc, int(n)), p.wcs)
	f.polls[0].wcs = p.wcs[took:]
	if took == len(p.wcs) {
		f.polls = f.polls[1:]
	}
	return ret(int32(took))
}

func (f *fakeDevice) post(what string, qp uintptr, wrID uint64) uintptr {
	f.calls = append(f.calls, what)
	f.posts++
	if qp != f.qp.addr || wrID != map[string]uint64{"send": 2, "recv": 1}[what] {
		return ret(99)
	}
	if f.posts == f.failAt {
		return ret(f.fail)
	}
	return ret(0)
}

func (f *fakeDevice) notify(cq uintptr, solicited int32) uintptr {
	f.calls = append(f.calls, "arm")
	if cq != f.cq.addr || solicited != 0 {
		return ret(99)
	}
	return ret(0)
}

// event takes one event from the channel, which is an eventfd in semaphore
// mode here.
func (f *fakeDevice) event(ch, cq uintptr) uintptr {
	f.calls = append(f.calls, "event")
	if len(f.errnos) > 0 {
		loc, _, _ := purego.SyscallN(f.lib.errnoLocation.addr)
		*at[int32](loc) = int32(f.errnos[0])
		f.errnos = f.errnos[1:]
		return ret(-1)
	}
	var b [8]byte
	if _, err := unix.Read(f.ch.fd, b[:]); err != nil || ch != f.ch.addr {
		return ret(-1)
	}
	*at[uintptr](cq) = f.cq.addr
	return ret(0)
}

// newFake returns a device with one queue pair and one completion queue whose
// channel has a number of events.
func newFake(tb testing.TB, events int) *fakeDevice {
	tb.Helper()
	d := must[*driver](tb)(open("libc.so.6"))
	d.lib.getCQEvent = function{"fake", fakeEvent}
	ops, err := newBlock(1024)
	ok(tb, err)
	tb.Cleanup(ops.free)
	c := &deviceContext{lib: d.lib, addr: ops.addr(), ops: at[cContext](ops.addr()), cqs: map[uintptr]*cq{}}
	c.ops.pollCQ, c.ops.reqNotifyCQ, c.ops.postSend, c.ops.postRecv = fakePollCQ, fakeNotify, fakeSend, fakeRecv
	f := &fakeDevice{deviceContext: c, qp: &qp{addr: 0x1000, typ: verbs.QPTRC}, cq: &cq{addr: 0x2000}}
	ok(tb, f.qp.reserve(verbs.QPCap{MaxSendSGE: 1, MaxRecvSGE: 1}))
	ok(tb, f.cq.reserve())
	c.remember(f.cq)
	fd := must[int](tb)(unix.Eventfd(uint(events), unix.EFD_NONBLOCK|unix.EFD_SEMAPHORE))
	f.ch = &channel{addr: 0x3000, fd: fd}
	tb.Cleanup(func() {
		f.qp.send.mem.free()
		f.qp.recv.mem.free()
		f.cq.mem.free()
		ok(tb, unix.Close(fd))
	})
	fake = f
	return f
}

func (f *fakeDevice) spec(events bool) verbs.TurnSpec {
	spec := verbs.TurnSpec{QP: f.qp, CQ: f.cq, Send: verbs.SendWR{WRID: 2, SGList: []verbs.SGE{{Addr: 1}}}, Recv: verbs.RecvWR{WRID: 1}}
	if events {
		spec.Channel = f.ch
	}
	return spec
}
