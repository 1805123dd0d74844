//go:build lab

package libibverbs

import (
	"testing"

	"ibtour/verbs"
)

// The tests of the lab run inside a VM whose rxe0 is a Soft-RoCE device with
// an IPv4 address. They do not skip: without it they fail.
const labDevice = "rxe0"

// end is a queue pair with everything it needs, opened in the order of
// ibv_rc_pingpong.
type end struct {
	*testing.T
	ctx *verbs.Context
	pd  *verbs.PD
	buf *verbs.Buffer
	mr  *verbs.MR
	ch  *verbs.CompChannel
	cq  *verbs.CQ
	qp  *verbs.QP
	gid verbs.GIDEntry
	dc  *deviceContext
}

const (
	labDepth = 16
	recvWRID = 1
	sendWRID = 2
)

// capture lets a test reach the driver's context below the verbs objects.
type capture struct {
	verbs.Driver
	last *deviceContext
}

type captureList struct {
	verbs.List
	to *capture
}

func (c *capture) DeviceList() (verbs.List, error) {
	l, err := c.Driver.DeviceList()
	return captureList{l, c}, err
}

func (l captureList) Open(i int) (verbs.DriverContext, error) {
	dc, err := l.List.Open(i)
	l.to.last, _ = dc.(*deviceContext)
	return dc, err
}

func openLab(t *testing.T) (*verbs.Context, *deviceContext) {
	t.Helper()
	driver := &capture{Driver: must[verbs.Driver](t)(Open()), last: nil}
	list := must[*verbs.DeviceList](t)(verbs.GetDeviceList(driver, nil))
	ctx := must[*verbs.Context](t)(list.Open(labDevice))
	ok(t, list.Free())
	t.Cleanup(func() { ok(t, ctx.CloseAll()) })
	return ctx, driver.last
}

func newEnd(t *testing.T, size int) *end {
	t.Helper()
	ctx, dc := openLab(t)
	e := &end{T: t, ctx: ctx, dc: dc}
	e.pd = must[*verbs.PD](t)(ctx.AllocPD())
	e.buf = must[*verbs.Buffer](t)(verbs.AllocBuffer(size))
	e.mr = must[*verbs.MR](t)(e.pd.RegMR(e.buf, verbs.AccessLocalWrite))
	e.ch = must[*verbs.CompChannel](t)(ctx.CreateCompChannel())
	e.cq = must[*verbs.CQ](t)(ctx.CreateCQ(2*labDepth, e.ch))
	e.qp = must[*verbs.QP](t)(e.pd.CreateQP(verbs.QPConfig{
		SendCQ: e.cq, RecvCQ: e.cq, Type: verbs.QPTRC, SigAll: false,
		Cap: verbs.QPCap{MaxSendWR: labDepth, MaxRecvWR: labDepth, MaxSendSGE: 1, MaxRecvSGE: 1, MaxInlineData: 0},
	}))
	e.gid = e.ipv4GID()
	return e
}

// ipv4GID returns the entry that every Soft-RoCE device with an IPv4 address has.
func (e *end) ipv4GID() verbs.GIDEntry {
	e.Helper()
	for _, g := range must[[]verbs.GIDEntry](e)(e.ctx.PeekGIDs(1)) {
		if g.GID.Addr().Is4() {
			return g
		}
	}
	e.Fatal("port 1 has no GID of an IPv4 address")
	return verbs.GIDEntry{}
}

const initMask = verbs.AttrState | verbs.AttrPKeyIndex | verbs.AttrPort | verbs.AttrAccessFlags

func (e *end) init() error {
	return e.qp.Modify(verbs.QPAttr{State: verbs.QPSInit, PortNum: 1}, initMask)
}

const rtrMask = verbs.AttrState | verbs.AttrAV | verbs.AttrPathMTU | verbs.AttrDestQPN |
	verbs.AttrRQPSN | verbs.AttrMaxDestRDAtomic | verbs.AttrMinRNRTimer

func (e *end) rtrAttr(peer *end) verbs.QPAttr {
	return verbs.QPAttr{
		State: verbs.QPSRTR, PathMTU: verbs.MTU1024, DestQPN: peer.qp.Num(), RQPSN: 0x123456,
		MaxDestRDAtomic: 1, MinRNRTimer: 12,
		AH: verbs.AHAttr{
			IsGlobal: true, PortNum: 1,
			GRH: verbs.GlobalRoute{DGID: peer.gid.GID, SGIDIndex: uint8(e.gid.Index), HopLimit: 1},
		},
	}
}

const rtsMask = verbs.AttrState | verbs.AttrTimeout | verbs.AttrRetryCnt | verbs.AttrRNRRetry |
	verbs.AttrSQPSN | verbs.AttrMaxQPRDAtomic

func (e *end) rts() error {
	return e.qp.Modify(verbs.QPAttr{
		State: verbs.QPSRTS, Timeout: 14, RetryCnt: 7, RNRRetry: 7, SQPSN: 0x123456, MaxRDAtomic: 1,
	}, rtsMask)
}

// newPair returns two ends of one connection, each in a context of its own.
func newPair(t *testing.T, size int) (a, b *end) {
	t.Helper()
	a, b = newEnd(t, size), newEnd(t, size)
	for _, e := range []*end{a, b} {
		ok(t, e.init())
	}
	ok(t, a.qp.Modify(a.rtrAttr(b), rtrMask))
	ok(t, b.qp.Modify(b.rtrAttr(a), rtrMask))
	ok(t, a.rts())
	ok(t, b.rts())
	return a, b
}

func (e *end) recvWR() verbs.RecvWR {
	return verbs.RecvWR{WRID: recvWRID, SGList: []verbs.SGE{e.mr.SGE(0, e.buf.Len())}}
}

func (e *end) sendWR() verbs.SendWR {
	return verbs.SendWR{
		WRID: sendWRID, SGList: []verbs.SGE{e.mr.SGE(0, e.buf.Len())},
		Opcode: verbs.WRSend, Flags: verbs.SendSignaled,
	}
}

// spin polls until n completions are there and returns them.
func (e *end) spin(n int) []verbs.WC {
	e.Helper()
	wcs := make([]verbs.WC, n)
	for got := 0; got < n; {
		k := must[int](e)(e.cq.Poll(wcs[got:]))
		got += k
	}
	return wcs
}
