package softroce_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
	"ibtour/verbs/verbstest"
	"ibtour/verbs/wire"
)

// ladder is what one end saw of the packets, as short words: "> SEND_ONLY 0"
// left, "< ACKNOWLEDGE 0 ACK" arrived. PSNs are counted from the first one of
// whoever sent the request.
type ladder struct {
	first wire.PSN
	other wire.PSN // first PSN of the requests that arrive

	mu    sync.Mutex
	rungs []string
}

func (l *ladder) add(p trace.Packet) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pkt, err := wire.Parse(p.Data)
	if err != nil || p.Note != "" {
		l.rungs = append(l.rungs, "< "+p.Note)
		return
	}
	arrow, base := "<", l.first
	if p.Sent {
		arrow = ">"
	}
	if pkt.Opcode.IsRequest() != p.Sent {
		base = l.other
	}
	s := fmt.Sprintf("%s %v %d", arrow, pkt.Opcode, pkt.PSN.Sub(base))
	if pkt.Opcode == wire.OpAck {
		s += " " + pkt.AETH.Syndrome.String()
	}
	l.rungs = append(l.rungs, s)
}

// wants compares the first rungs.
func (l *ladder) wants(t *testing.T, want ...string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, w := range want {
		if i >= len(l.rungs) || l.rungs[i] != w {
			t.Fatalf("packet %d: have %q, want %q", i, l.rungs, want)
		}
	}
}

// hears checks all packets that arrived.
func (l *ladder) hears(t *testing.T, want ...string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var got []string
	for _, r := range l.rungs {
		if r[0] == '<' {
			got = append(got, r)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("heard %q, want %q", got, want)
	}
}

const (
	acked    = " ACK, no credit information"
	sequence = " NAK, PSN sequence error"
	invalid  = " NAK, invalid request"
)

// wireBench is a soft0 that may misbehave on the wire, and its peer.
type wireBench struct {
	*testing.T
	a, b   *verbstest.Node
	ladder *ladder
	rxe    bool          // b is the Linux driver
	env    wire.Envelope // of what a sends
	// mangle sees each packet that leaves a and returns what leaves instead.
	mangle func(p *wire.Packet) []*wire.Packet
}

// Carry is the hook of a. Packets are sealed again after they were mangled.
func (w *wireBench) Carry(b []byte, deliver func(b []byte, after time.Duration)) {
	p, err := wire.Parse(b)
	if w.mangle == nil || err != nil {
		deliver(b, 0)
		return
	}
	for _, q := range w.mangle(&p) {
		deliver(w.env.Seal(nil, q), 0)
	}
}

func same(p *wire.Packet) []*wire.Packet { return []*wire.Packet{p} }

type wireCase struct {
	name   string
	config verbstest.Config
	run    func(w *wireBench)
}

func (w *wireBench) send(size int) { w.a.Send(1, 0, size) }

// soon makes the requester give up after some milliseconds.
func soon() verbstest.Config {
	return verbstest.Config{
		Attr: verbs.QPAttr{Timeout: 10, RetryCnt: 1}, Mask: verbs.AttrTimeout | verbs.AttrRetryCnt,
	}
}

// wireCases are those of facts sheet 3, section 16, that begin at the requester.
func wireCases() []wireCase {
	return []wireCase{
		{"wrong ICRC", soon(), wrongICRC},
		{"wrong P_Key", soon(), wrongPKey},
		{"PSN + 1", soon(), psnAhead},
		{"repeat of the last request", verbstest.Config{}, repeated},
		{"no receive posted", verbstest.Config{Attr: verbs.QPAttr{RNRRetry: 0}, Mask: verbs.AttrRNRRetry}, noReceive},
		{"FIRST followed by ONLY", verbstest.Config{}, firstThenOnly},
		{"MIDDLE of wrong size", verbstest.Config{}, middleTooShort},
		{"WRITE without the right", verbstest.Config{
			Attr: verbs.QPAttr{AccessFlags: verbs.AccessLocalWrite}, Mask: verbs.AttrAccessFlags,
		}, writeForbidden},
		{"PSN wraps", verbstest.Config{}, psnWraps},
		{"dropped ACK", verbstest.Config{}, droppedACK},
		{"dropped READ response", verbstest.Config{}, droppedResponse},
	}
}

func wrongICRC(w *wireBench) {
	w.b.Recv(1, 0, 8)
	w.env.Src = netip.MustParseAddrPort("192.0.2.99:1") // the ICRC of another path
	w.mangle = same
	w.send(8)
	w.a.Want(w.a.SendCQ, 1, verbs.WCRetryExcErr)
	w.ladder.wants(w.T, "> SEND_ONLY 0", "> SEND_ONLY 0")
	w.b.None(w.b.RecvCQ)
}

func wrongPKey(w *wireBench) {
	w.b.Recv(1, 0, 8)
	w.mangle = func(p *wire.Packet) []*wire.Packet {
		p.PKey = 0x8123
		return same(p)
	}
	w.send(8)
	w.a.Want(w.a.SendCQ, 1, verbs.WCRetryExcErr)
	w.b.None(w.b.RecvCQ)
}

// psnAhead: one NAK with the PSN expected, then silence.
func psnAhead(w *wireBench) {
	w.b.Recv(1, 0, 8)
	w.mangle = func(p *wire.Packet) []*wire.Packet {
		p.PSN = p.PSN.Add(1)
		return same(p)
	}
	w.send(8)
	w.a.Want(w.a.SendCQ, 1, verbs.WCRetryExcErr)
	w.ladder.hears(w.T, "< ACKNOWLEDGE 0"+sequence)
	w.b.None(w.b.RecvCQ)
}

func repeated(w *wireBench) {
	w.b.Recv(1, 0, 8)
	w.b.Recv(2, 0, 8)
	w.mangle = func(p *wire.Packet) []*wire.Packet { return []*wire.Packet{p, p, p} }
	w.send(8)
	w.a.Want(w.a.SendCQ, 1, verbs.WCSuccess)
	w.b.Want(w.b.RecvCQ, 1, verbs.WCSuccess)
	w.settle()
	w.b.None(w.b.RecvCQ)
	w.ladder.wants(w.T, "> SEND_ONLY 0", "< ACKNOWLEDGE 0"+acked)
}

func noReceive(w *wireBench) {
	w.send(8)
	w.a.Want(w.a.SendCQ, 1, verbs.WCRNRRetryExcErr)
	w.ladder.wants(w.T, "> SEND_ONLY 0", "< ACKNOWLEDGE 0 RNR NAK, wait 640µs")
}

func firstThenOnly(w *wireBench) {
	w.b.Recv(1, 0, 4096)
	w.mangle = func(p *wire.Packet) []*wire.Packet {
		if p.Opcode == wire.OpSendLast {
			p.Opcode = wire.OpSendOnly
		}
		return same(p)
	}
	w.send(w.a.MTU.Bytes() + 8)
	w.a.Want(w.a.SendCQ, 1, verbs.WCRemInvReqErr)
	w.ladder.hears(w.T, "< ACKNOWLEDGE 1"+invalid)
	if wc := w.b.Wait(w.b.RecvCQ); wc.Status == verbs.WCSuccess {
		w.Errorf("the receive completed: %+v", wc)
	}
}

func middleTooShort(w *wireBench) {
	w.b.Recv(1, 0, 8192)
	w.mangle = func(p *wire.Packet) []*wire.Packet {
		if p.Opcode == wire.OpSendMiddle {
			p.Payload = p.Payload[:16]
		}
		return same(p)
	}
	w.send(2*w.a.MTU.Bytes() + 8)
	if w.rxe { // does not check it; measured in the lab, against sheet 3, section 16
		w.a.Want(w.a.SendCQ, 1, verbs.WCSuccess)
		return
	}
	w.a.Want(w.a.SendCQ, 1, verbs.WCRemInvReqErr)
}

func writeForbidden(w *wireBench) {
	w.a.Post(verbs.SendWR{
		WRID: 1, SGList: w.a.SGE(0, 8), Opcode: verbs.WRRDMAWrite,
		RemoteAddr: w.b.Buf.Addr(), RKey: w.b.MR.RKey(),
	})
	w.a.Want(w.a.SendCQ, 1, verbs.WCRemInvReqErr)
	w.ladder.wants(w.T, "> RDMA_WRITE_ONLY 0", "< ACKNOWLEDGE 0"+invalid)
}

// psnWraps sends more packets than there are PSNs before 0.
func psnWraps(w *wireBench) {
	for i := range uint64(40) {
		w.b.Recv(i, 0, 8)
		w.a.Send(i, 0, 8)
		w.a.Want(w.a.SendCQ, i, verbs.WCSuccess)
		w.b.Want(w.b.RecvCQ, i, verbs.WCSuccess)
	}
}

// lose returns a mangle that loses the first packet of an opcode.
func lose(op wire.Opcode) func(*wire.Packet) []*wire.Packet {
	lost := false
	return func(p *wire.Packet) []*wire.Packet {
		if p.Opcode == op && !lost {
			lost = true
			return nil
		}
		return same(p)
	}
}

// droppedACK: the peer repeats its request with the same PSN.
func droppedACK(w *wireBench) {
	w.mangle = lose(wire.OpAck)
	w.a.Recv(1, 0, 8)
	w.a.Recv(2, 0, 8)
	w.b.Send(3, 0, 8)
	w.b.Want(w.b.SendCQ, 3, verbs.WCSuccess)
	w.a.Want(w.a.RecvCQ, 1, verbs.WCSuccess)
	w.a.None(w.a.RecvCQ)
	w.ladder.wants(w.T, "< SEND_ONLY 0", "> ACKNOWLEDGE 0"+acked, "< SEND_ONLY 0", "> ACKNOWLEDGE 0"+acked)
}

// droppedResponse: the peer asks again for what it missed.
func droppedResponse(w *wireBench) {
	mtu := w.a.MTU.Bytes()
	w.mangle = lose(wire.OpReadResponseMiddle)
	for i := range w.a.Buf.Bytes() {
		w.a.Buf.Bytes()[i] = byte(i * 31)
	}
	w.a.Recv(9, 0, 0) // takes the device's lock: its goroutine sees the above
	size := 2*mtu + mtu/2
	w.b.Post(verbs.SendWR{
		WRID: 1, SGList: w.b.SGE(0, size), Opcode: verbs.WRRDMARead, Flags: verbs.SendSignaled,
		RemoteAddr: w.a.Buf.Addr(), RKey: w.a.MR.RKey(),
	})
	w.b.Want(w.b.SendCQ, 1, verbs.WCSuccess)
	if !bytes.Equal(w.a.Buf.Bytes()[:size], w.b.Buf.Bytes()[:size]) {
		w.Error("other data")
	}
	w.ladder.wants(w.T, "< RDMA_READ_REQUEST 0", "> RDMA_READ_RESPONSE_FIRST 0", "> RDMA_READ_RESPONSE_MIDDLE 1",
		"> RDMA_READ_RESPONSE_LAST 2", "< RDMA_READ_REQUEST 1", "> RDMA_READ_RESPONSE_FIRST 1", "> RDMA_READ_RESPONSE_LAST 2")
}

// settle gives the packets under way time to arrive.
func (w *wireBench) settle() { <-time.After(20 * time.Millisecond) }

// runWireCases runs the cases between a soft0 and a peer.
func runWireCases(t *testing.T, local, remote string, soft func(softroce.Options) verbs.Driver, peer func() verbs.Driver, peerConfig verbstest.Config) {
	t.Helper()
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) {
			w := &wireBench{T: t, ladder: &ladder{}, rxe: peerConfig.Device == "rxe0"}
			w.env.Src = netip.AddrPortFrom(netip.MustParseAddr(local), wire.Port)
			w.env.Dst = netip.AddrPortFrom(netip.MustParseAddr(remote), wire.Port)
			drv := soft(softroce.Options{Addr: netip.MustParseAddr(local), Hook: w, Trace: w.ladder.add})
			w.a = verbstest.NewNode(t, verbstest.Open(t, drv, ""), c.config)
			cfg := c.config
			cfg.Device, cfg.GIDIndex = peerConfig.Device, peerConfig.GIDIndex
			w.b = verbstest.NewNode(t, verbstest.Open(t, peer(), cfg.Device), cfg)
			verbstest.Join(w.a, w.b)
			w.ladder.mu.Lock()
			w.ladder.first, w.ladder.other = w.a.PSN, w.b.PSN
			w.ladder.mu.Unlock()
			c.run(w)
		})
	}
}

func TestWireCases(t *testing.T) {
	peer := func() verbs.Driver { return onAddr("127.0.0.2") }
	runWireCases(t, "127.0.0.1", "127.0.0.2", softroce.New, peer, verbstest.Config{})
}
