package softroce

import (
	"encoding/binary"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// fakeTarget is a receive queue of one buffer size and one region.
type fakeTarget struct {
	recvs   int
	room    int
	mem     []byte
	rights  verbs.AccessFlags
	badRecv bool
}

const (
	testKey  = wire.RKey(0x5151)
	testBase = 0x10000
)

func (f *fakeTarget) recvLen() (int, bool) { return f.room, f.recvs > 0 }

func (f *fakeTarget) scatter(int, []byte) bool { return !f.badRecv }

func (f *fakeTarget) remote(r wire.RETH, n int, need verbs.AccessFlags) []byte {
	if r.RKey != testKey || f.rights&need != need {
		return nil
	}
	m := mr{mem: f.mem, base: testBase}
	return m.at(r.VA, n)
}

type respBench struct {
	responder
	t *testing.T
	f fakeTarget
}

func newRespBench(t *testing.T, change ...func(*respConfig)) *respBench {
	t.Helper()
	cfg := respConfig{mtu: testMTU, destRD: 2, rnr: 12, access: mrAccess, started: testPSN}
	for _, c := range change {
		c(&cfg)
	}
	b := &respBench{t: t, f: fakeTarget{recvs: 9, room: 4 * testMTU, mem: make([]byte, 2048), rights: mrAccess}}
	b.start(cfg)
	return b
}

func quirky(c *respConfig) { c.quirks = QuirksRXE }

// ask makes a request with PSN n after the first, that asks for an ACK.
func ask(op wire.Opcode, n, size int) *wire.Packet {
	return &wire.Packet{
		BTH:     wire.BTH{Opcode: op, PSN: testPSN.Add(n), AckReq: true},
		RETH:    wire.RETH{VA: testBase, RKey: testKey, DMALen: uint32(size)},
		Payload: make([]byte, size),
	}
}

func (b *respBench) gets(p *wire.Packet) verdict {
	b.t.Helper()
	return *b.receive(p, &b.f)
}

// says checks everything the responder has to send: opcode, PSN counted from
// the first, and syndrome.
func (b *respBench) says(want ...string) {
	b.t.Helper()
	var got []string
	for a := (reply{}); b.next(&b.f, &a); {
		s := a.op.String() + " " + itoa(a.psn.Sub(testPSN))
		if a.op == wire.OpAck {
			s += " " + a.aeth.Syndrome.String()
		}
		got = append(got, s)
	}
	if len(got) != len(want) {
		b.t.Fatalf("said %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			b.t.Fatalf("said %q, want %q", got, want)
		}
	}
}

func itoa(n int) string {
	if n < 0 {
		return "-" + itoa(-n)
	}
	return string(rune('0' + n))
}

const (
	ackText      = " ACK, no credit information"
	sequenceText = " NAK, PSN sequence error"
	invalidText  = " NAK, invalid request"
	accessText   = " NAK, remote access error"
	operaText    = " NAK, remote operational error"
)

func TestSendIsReceivedAndAcknowledged(t *testing.T) {
	b := newRespBench(t)
	b.gets(ask(wire.OpSendFirst, 0, testMTU))
	b.gets(ask(wire.OpSendMiddle, 1, testMTU))
	v := b.gets(ask(wire.OpSendLast, 2, 5))
	if v.kind != received || v.wc.ByteLen != 2*testMTU+5 {
		t.Errorf("verdict %+v", v)
	}
	b.says("ACKNOWLEDGE 2" + ackText) // the earlier ones are covered by it
	if b.msn != 1 {
		t.Errorf("MSN %d", b.msn)
	}
}

func TestSequenceNAKOnce(t *testing.T) {
	b := newRespBench(t)
	b.gets(ask(wire.OpSendOnly, 1, 1))
	b.gets(ask(wire.OpSendOnly, 2, 1))
	b.says("ACKNOWLEDGE 0" + sequenceText)
	b.gets(ask(wire.OpSendOnly, 3, 1))
	b.says()
	b.gets(ask(wire.OpSendOnly, 0, 1))
	b.gets(ask(wire.OpSendOnly, 5, 1))
	b.says("ACKNOWLEDGE 0"+ackText, "ACKNOWLEDGE 1"+sequenceText)
}

func TestDuplicateIsNotExecuted(t *testing.T) {
	b := newRespBench(t)
	for i := range 3 {
		b.gets(ask(wire.OpSendOnly, i, 1))
	}
	b.says("ACKNOWLEDGE 2" + ackText)
	if v := b.gets(ask(wire.OpSendOnly, 0, 1)); v.kind != nothing {
		t.Errorf("verdict %+v", v)
	}
	b.says("ACKNOWLEDGE 2" + ackText)
}

func TestOpcodeSequence(t *testing.T) {
	for _, c := range []struct {
		name  string
		first []wire.Opcode
		then  wire.Opcode
	}{
		{"MIDDLE first", nil, wire.OpSendMiddle},
		{"LAST first", nil, wire.OpWriteLast},
		{"FIRST then ONLY", []wire.Opcode{wire.OpSendFirst}, wire.OpSendOnly},
		{"FIRST then READ", []wire.Opcode{wire.OpSendFirst}, wire.OpReadRequest},
		{"SEND then WRITE LAST", []wire.Opcode{wire.OpSendFirst}, wire.OpWriteLast},
		{"WRITE then SEND LAST", []wire.Opcode{wire.OpWriteFirst}, wire.OpSendLast},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newRespBench(t)
			for i, op := range c.first {
				p := ask(op, i, testMTU)
				p.RETH.DMALen = 2 * testMTU
				b.gets(p)
			}
			b.says(map[bool][]string{true: {"ACKNOWLEDGE 0" + ackText}, false: nil}[len(c.first) > 0]...)
			v := b.gets(ask(c.then, len(c.first), 1))
			if v.kind != refused || v.taken != (len(c.first) > 0 && c.first[0] == wire.OpSendFirst) {
				t.Errorf("verdict %+v", v)
			}
			b.says("ACKNOWLEDGE " + itoa(len(c.first)) + invalidText)
			b.gets(ask(wire.OpSendOnly, len(c.first), 1))
			b.says() // closed
		})
	}
}

func TestPayloadSize(t *testing.T) {
	for _, c := range []struct {
		op   wire.Opcode
		size int
	}{
		{wire.OpSendFirst, testMTU - 1},
		{wire.OpSendOnly, testMTU + 1},
		{wire.OpWriteFirst, testMTU - 4},
		{wire.OpWriteOnly, testMTU + 1},
	} {
		b := newRespBench(t)
		if v := b.gets(ask(c.op, 0, c.size)); v.kind != refused || v.taken || v.event != verbs.EventQPReqErr {
			t.Errorf("%v of %d: %+v", c.op, c.size, v)
		}
		b.says("ACKNOWLEDGE 0" + invalidText)
	}
}

func TestWriteLengthMustMatch(t *testing.T) {
	for _, announced := range []int{testMTU + 9, testMTU + 11} {
		b := newRespBench(t)
		p := ask(wire.OpWriteFirst, 0, testMTU)
		p.RETH.DMALen = uint32(announced)
		b.gets(p)
		b.gets(ask(wire.OpWriteLast, 1, 10))
		b.says("ACKNOWLEDGE 0"+ackText, "ACKNOWLEDGE 1"+invalidText)
	}
}

func TestReceiverNotReady(t *testing.T) {
	b := newRespBench(t)
	b.f.recvs = 0
	b.gets(ask(wire.OpSendOnly, 0, 1))
	b.gets(ask(wire.OpSendOnly, 1, 1)) // no second NAK
	b.says("ACKNOWLEDGE 0 RNR NAK, wait 640µs")
	b.gets(ask(wire.OpSendOnly, 0, 1))
	b.says("ACKNOWLEDGE 0 RNR NAK, wait 640µs")
	b.f.recvs = 1
	if v := b.gets(ask(wire.OpSendOnly, 0, 1)); v.kind != received {
		t.Errorf("verdict %+v", v)
	}
	b.says("ACKNOWLEDGE 0" + ackText)
}

// TestWriteImmNotReady: the data must not be written before a receive is there.
func TestWriteImmNotReady(t *testing.T) {
	b := newRespBench(t)
	b.f.recvs = 0
	p := ask(wire.OpWriteOnlyImm, 0, 4)
	copy(p.Payload, "data")
	b.gets(p)
	if b.f.mem[0] != 0 {
		t.Error("memory was written")
	}
	b.says("ACKNOWLEDGE 0 RNR NAK, wait 640µs")
}

func TestTooLongForTheReceive(t *testing.T) {
	for _, c := range []struct {
		quirks func(*respConfig)
		nak    string
		status verbs.WCStatus
	}{
		{func(*respConfig) {}, invalidText, verbs.WCLocLenErr},
		{quirky, operaText, verbs.WCLocQPOpErr},
	} {
		b := newRespBench(t, c.quirks)
		b.f.room = testMTU + 1
		b.gets(ask(wire.OpSendFirst, 0, testMTU))
		v := b.gets(ask(wire.OpSendLast, 1, 2))
		if v.kind != refused || !v.taken || v.status != c.status {
			t.Errorf("verdict %+v", v)
		}
		b.says("ACKNOWLEDGE 0"+ackText, "ACKNOWLEDGE 1"+c.nak)
	}
}

func TestRightsOfTheQueuePair(t *testing.T) {
	for op, lack := range map[wire.Opcode]verbs.AccessFlags{
		wire.OpWriteOnly:   verbs.AccessRemoteWrite,
		wire.OpReadRequest: verbs.AccessRemoteRead,
		wire.OpFetchAdd:    verbs.AccessRemoteAtomic,
	} {
		b := newRespBench(t, func(c *respConfig) { c.access &^= lack })
		b.gets(ask(op, 0, 0))
		b.says("ACKNOWLEDGE 0" + invalidText)
	}
}

func TestInvalidateIsRefused(t *testing.T) {
	b := newRespBench(t)
	b.gets(ask(wire.OpSendOnlyInv, 0, 1))
	b.says("ACKNOWLEDGE 0" + accessText)
	b = newRespBench(t, quirky)
	if v := b.gets(ask(wire.OpSendOnlyInv, 0, 1)); v.kind != refused {
		t.Errorf("verdict %+v", v)
	}
	b.says()
}

func TestReadTakesAsManyPSNsAsPackets(t *testing.T) {
	b := newRespBench(t)
	p := ask(wire.OpReadRequest, 0, 0)
	p.RETH.DMALen = 2*testMTU + 1
	b.gets(p)
	if b.psn != testPSN.Add(3) || b.msn != 1 {
		t.Errorf("expects %v, MSN %d", b.psn, b.msn)
	}
	b.gets(ask(wire.OpSendOnly, 3, 1)) // its ACK follows
	b.says("RDMA_READ_RESPONSE_FIRST 0", "RDMA_READ_RESPONSE_MIDDLE 1", "RDMA_READ_RESPONSE_LAST 2", "ACKNOWLEDGE 3"+ackText)
}

func TestDuplicateRead(t *testing.T) {
	read := func(psn, va, size int, key wire.RKey) *wire.Packet {
		p := ask(wire.OpReadRequest, psn, 0)
		p.RETH = wire.RETH{VA: testBase + uint64(va), RKey: key, DMALen: uint32(size)}
		return p
	}
	b := newRespBench(t)
	b.gets(read(0, 0, 2*testMTU+1, testKey))
	b.says("RDMA_READ_RESPONSE_FIRST 0", "RDMA_READ_RESPONSE_MIDDLE 1", "RDMA_READ_RESPONSE_LAST 2")
	b.gets(read(1, testMTU, testMTU+1, testKey))
	b.says("RDMA_READ_RESPONSE_FIRST 1", "RDMA_READ_RESPONSE_LAST 2")
	b.gets(read(1, 0, testMTU+1, testKey))         // not where its PSN says
	b.gets(read(1, testMTU, testMTU+2, testKey))   // more than was asked for
	b.gets(read(1, testMTU, testMTU+1, testKey+1)) // another key
	b.says()
	b.gets(read(3, 0, 1, testKey))
	b.gets(read(4, 0, 1, testKey))
	b.says("RDMA_READ_RESPONSE_ONLY 3", "RDMA_READ_RESPONSE_ONLY 4")
	b.gets(read(0, 0, 2*testMTU+1, testKey)) // no longer kept
	b.says()
}

// TestDuplicateReadRestarts: repeated requests do not multiply the answers.
func TestDuplicateReadRestarts(t *testing.T) {
	b := newRespBench(t)
	p := ask(wire.OpReadRequest, 0, 0)
	p.RETH.DMALen = 2 * testMTU
	for range 10 {
		b.gets(p)
	}
	b.says("RDMA_READ_RESPONSE_FIRST 0", "RDMA_READ_RESPONSE_LAST 1")
}

func TestAtomicIsExecutedOnce(t *testing.T) {
	b := newRespBench(t)
	p := ask(wire.OpFetchAdd, 0, 0)
	p.AtomicETH = wire.AtomicETH{VA: testBase, RKey: testKey, SwapAdd: 5}
	for range 3 {
		b.gets(p)
		var a reply
		if !b.next(&b.f, &a) || a.op != wire.OpAtomicAck || a.orig != 0 || a.psn != testPSN {
			t.Errorf("answer %+v", a)
		}
	}
	if got := binary.NativeEndian.Uint64(b.f.mem); got != 5 {
		t.Errorf("the word is %d", got)
	}
}

func TestAtomicAlignment(t *testing.T) {
	b := newRespBench(t)
	p := ask(wire.OpCompareSwap, 0, 0)
	p.AtomicETH = wire.AtomicETH{VA: testBase + 4, RKey: testKey}
	b.gets(p)
	b.says("ACKNOWLEDGE 0" + invalidText)
}

func TestKeyAndRange(t *testing.T) {
	for name, reth := range map[string]wire.RETH{
		"key":       {VA: testBase, RKey: testKey + 1, DMALen: 1},
		"below":     {VA: testBase - 1, RKey: testKey, DMALen: 1},
		"across":    {VA: testBase + 2047, RKey: testKey, DMALen: 2},
		"wraps":     {VA: ^uint64(0), RKey: testKey, DMALen: 2},
		"too large": {VA: testBase, RKey: testKey, DMALen: 1 << 31},
	} {
		t.Run(name, func(t *testing.T) {
			b := newRespBench(t)
			p := ask(wire.OpReadRequest, 0, 0)
			p.RETH = reth
			if v := b.gets(p); v.event != verbs.EventQPAccessErr {
				t.Errorf("verdict %+v", v)
			}
			b.says("ACKNOWLEDGE 0" + accessText)
		})
	}
}
