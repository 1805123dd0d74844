package verbstest

import (
	"errors"
	"testing"
	"time"

	"ibtour/verbs"
)

// Config says what nodes to make. The zero value is a good one.
type Config struct {
	// Device is the name of the device; empty takes the first one.
	Device string
	// GIDIndex is the entry of the GID table to use.
	GIDIndex uint8
	// Size of each node's buffer in bytes; 0 means 64 KiB.
	Size int
	// Access rights of the buffer and the queue pair; 0 means all of them.
	Access verbs.AccessFlags
	// Cap of the queue pair; zero fields mean 64 requests of 4 elements, 64
	// bytes inline.
	Cap verbs.QPCap
	// CQE entries of the completion queues; 0 means 256.
	CQE int
	// Channel makes completion channels.
	Channel bool
	// SigAll reports every send.
	SigAll bool
	// Attr holds what differs from DefaultAttr: fields in Mask are taken.
	Attr verbs.QPAttr
	Mask verbs.AttrMask
}

// Node is one end of a connection: a context with one of each object.
type Node struct {
	t      testing.TB
	cfg    Config
	Ctx    *verbs.Context
	PD     *verbs.PD
	Buf    *verbs.Buffer
	MR     *verbs.MR
	Ch     *verbs.CompChannel
	SendCQ *verbs.CQ
	RecvCQ *verbs.CQ
	QP     *verbs.QP
	PSN    verbs.PSN // first one of the send queue
	GID    verbs.GID
	MTU    verbs.MTU // active MTU of the port
}

// AllAccess are the rights to do everything with a region.
const AllAccess = verbs.AccessLocalWrite | verbs.AccessRemoteWrite | verbs.AccessRemoteRead | verbs.AccessRemoteAtomic

func (c *Config) fill() {
	set(&c.Size, 64<<10)
	set(&c.CQE, 256)
	set(&c.Access, AllAccess)
	set(&c.Cap.MaxSendWR, 64)
	set(&c.Cap.MaxRecvWR, 64)
	set(&c.Cap.MaxSendSGE, 4)
	set(&c.Cap.MaxRecvSGE, 4)
	set(&c.Cap.MaxInlineData, 64)
}

func set[T comparable](p *T, v T) {
	var zero T
	if *p == zero {
		*p = v
	}
}

// Open opens a device. The context and all made on it are closed when the test
// ends.
func Open(tb testing.TB, d verbs.Driver, name string) *verbs.Context {
	tb.Helper()
	list, err := verbs.GetDeviceList(d, nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer list.Free() //nolint:errcheck // cannot fail
	ctx, err := list.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := ctx.CloseAll(); err != nil {
			tb.Errorf("CloseAll: %v", err)
		}
	})
	return ctx
}

// NewNode makes a node on a context, its queue pair in RESET.
func NewNode(tb testing.TB, ctx *verbs.Context, cfg Config) *Node {
	tb.Helper()
	cfg.fill()
	n := &Node{t: tb, cfg: cfg, Ctx: ctx, PSN: verbs.PSN(0xFFFFF0)} // wraps soon
	n.port()
	n.objects()
	return n
}

func (n *Node) port() {
	n.t.Helper()
	port, err := n.Ctx.QueryPort(1)
	n.must(err)
	gid, err := n.Ctx.QueryGID(1, int(n.cfg.GIDIndex))
	n.must(err)
	n.MTU, n.GID = port.ActiveMTU, gid.GID
}

func (n *Node) objects() {
	n.t.Helper()
	var err error
	n.PD, err = n.Ctx.AllocPD()
	n.must(err)
	n.Buf, err = verbs.AllocBuffer(n.cfg.Size)
	n.must(err)
	n.t.Cleanup(func() { n.freeBuffer() })
	n.MR, err = n.PD.RegMR(n.Buf, n.cfg.Access)
	n.must(err)
	if n.cfg.Channel {
		n.Ch, err = n.Ctx.CreateCompChannel()
		n.must(err)
	}
	n.SendCQ, err = n.Ctx.CreateCQ(n.cfg.CQE, n.Ch)
	n.must(err)
	n.RecvCQ, err = n.Ctx.CreateCQ(n.cfg.CQE, n.Ch)
	n.must(err)
	n.QP, err = n.PD.CreateQP(verbs.QPConfig{
		SendCQ: n.SendCQ, RecvCQ: n.RecvCQ, Cap: n.cfg.Cap, Type: verbs.QPTRC, SigAll: n.cfg.SigAll,
	})
	n.must(err)
}

// freeBuffer runs before the context's own cleanup: what still uses the memory
// goes first.
func (n *Node) freeBuffer() {
	if err := errors.Join(n.QP.Close(), n.MR.Close(), n.Buf.Free()); err != nil {
		n.t.Errorf("cleanup: %v", err)
	}
}

func (n *Node) must(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

// DefaultAttr returns the attributes a node uses to connect to another one.
func (n *Node) DefaultAttr(peer *Node) verbs.QPAttr {
	return verbs.QPAttr{
		PortNum: 1, AccessFlags: n.cfg.Access,
		PathMTU: min(n.MTU, peer.MTU), DestQPN: peer.QP.Num(), RQPSN: peer.PSN, SQPSN: n.PSN,
		MaxDestRDAtomic: 4, MaxRDAtomic: 4, MinRNRTimer: 12, Timeout: 14, RetryCnt: 7, RNRRetry: 7,
		AH: verbs.AHAttr{
			IsGlobal: true, PortNum: 1,
			GRH: verbs.GlobalRoute{DGID: peer.GID, SGIDIndex: n.cfg.GIDIndex, HopLimit: 64},
		},
	}
}

// Masks of the transitions, without IBV_QP_STATE.
const (
	InitMask = verbs.AttrPKeyIndex | verbs.AttrPort | verbs.AttrAccessFlags
	RTRMask  = verbs.AttrAV | verbs.AttrPathMTU | verbs.AttrDestQPN | verbs.AttrRQPSN |
		verbs.AttrMaxDestRDAtomic | verbs.AttrMinRNRTimer
	RTSMask = verbs.AttrTimeout | verbs.AttrRetryCnt | verbs.AttrRNRRetry | verbs.AttrSQPSN | verbs.AttrMaxQPRDAtomic
)

// Modify moves the queue pair to a state with attributes of DefaultAttr, those
// of Config.Attr taking their place.
func (n *Node) Modify(to verbs.QPState, mask verbs.AttrMask, peer *Node) {
	n.t.Helper()
	attr := verbs.QPAttr{}
	if peer != nil {
		attr = n.DefaultAttr(peer)
	} else {
		attr.PortNum, attr.AccessFlags = 1, n.cfg.Access
	}
	override(&attr, &n.cfg.Attr, n.cfg.Mask)
	attr.State = to
	n.must(n.QP.Modify(attr, mask|verbs.AttrState))
}

func override(to, from *verbs.QPAttr, mask verbs.AttrMask) {
	take := func(bit verbs.AttrMask, do func()) {
		if mask&bit != 0 {
			do()
		}
	}
	take(verbs.AttrAccessFlags, func() { to.AccessFlags = from.AccessFlags })
	take(verbs.AttrPathMTU, func() { to.PathMTU = from.PathMTU })
	take(verbs.AttrDestQPN, func() { to.DestQPN = from.DestQPN })
	take(verbs.AttrRQPSN, func() { to.RQPSN = from.RQPSN })
	take(verbs.AttrMaxDestRDAtomic, func() { to.MaxDestRDAtomic = from.MaxDestRDAtomic })
	take(verbs.AttrMaxQPRDAtomic, func() { to.MaxRDAtomic = from.MaxRDAtomic })
	take(verbs.AttrMinRNRTimer, func() { to.MinRNRTimer = from.MinRNRTimer })
	take(verbs.AttrTimeout, func() { to.Timeout = from.Timeout })
	take(verbs.AttrRetryCnt, func() { to.RetryCnt = from.RetryCnt })
	take(verbs.AttrRNRRetry, func() { to.RNRRetry = from.RNRRetry })
}

// Connect moves the queue pair from RESET to RTS.
func (n *Node) Connect(peer *Node) {
	n.t.Helper()
	n.Modify(verbs.QPSInit, InitMask, nil)
	n.Modify(verbs.QPSRTR, RTRMask, peer)
	n.Modify(verbs.QPSRTS, RTSMask, peer)
}

// SGE returns an element of the node's buffer.
func (n *Node) SGE(off, size int) []verbs.SGE { return []verbs.SGE{n.MR.SGE(off, size)} }

// Recv posts a receive into the buffer.
func (n *Node) Recv(id uint64, off, size int) {
	n.t.Helper()
	n.must(n.QP.PostRecv(&verbs.RecvWR{WRID: id, SGList: n.SGE(off, size)}))
}

// Send posts a signaled SEND from the buffer.
func (n *Node) Send(id uint64, off, size int) {
	n.t.Helper()
	n.Post(verbs.SendWR{WRID: id, SGList: n.SGE(off, size), Opcode: verbs.WRSend, Flags: verbs.SendSignaled})
}

// Post posts a send work request.
func (n *Node) Post(wr verbs.SendWR) {
	n.t.Helper()
	n.must(n.QP.PostSend(&wr))
}

// patience is how long Wait waits for a completion.
const patience = 20 * time.Second

// Wait polls a queue until it gave a completion.
func (n *Node) Wait(cq *verbs.CQ) verbs.WC {
	n.t.Helper()
	var wc [1]verbs.WC
	for end := time.Now().Add(patience); time.Now().Before(end); {
		got, err := cq.Poll(wc[:])
		n.must(err)
		if got == 1 {
			return wc[0]
		}
		pause()
	}
	n.t.Fatal("no completion")
	return verbs.WC{}
}

// Want waits for a completion with an id and a status.
func (n *Node) Want(cq *verbs.CQ, id uint64, status verbs.WCStatus) verbs.WC {
	n.t.Helper()
	wc := n.Wait(cq)
	if wc.WRID != id || wc.Status != status {
		n.t.Fatalf("completion of work request %d with %v, want %d with %v", wc.WRID, wc.Status, id, status)
	}
	return wc
}

// None fails the test if a queue has a completion now.
func (n *Node) None(cq *verbs.CQ) {
	n.t.Helper()
	var wc [1]verbs.WC
	got, err := cq.Poll(wc[:])
	n.must(err)
	if got != 0 {
		n.t.Fatalf("unexpected completion: work request %d with %v", wc[0].WRID, wc[0].Status)
	}
}
