package softroce_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

var (
	soakMessages = flag.Int("soak", soakDefault, "messages of TestSoak in all")
	soakSeed     = flag.Uint64("seed", 0, "seed of TestSoak; 0 takes one from the clock")
)

// weather is what the link does in one part of the soak.
type weather struct {
	name   string
	faults softroce.Faults
	quirks softroce.Quirks
}

func forecasts() []weather {
	return []weather{
		{name: "calm"},
		{name: "loss 3%", faults: softroce.Faults{Loss: 0.03}},
		{name: "duplicates 20%", faults: softroce.Faults{Duplicate: 0.2}},
		{name: "reordering 20%", faults: softroce.Faults{Reorder: 0.2}},
		{name: "corruption 3%", faults: softroce.Faults{Corrupt: 0.03}},
		{name: "a bit of all", faults: softroce.Faults{Loss: 0.01, Duplicate: 0.05, Reorder: 0.05, Corrupt: 0.01}},
		// Seven tries are not enough for this; rxe never gives up.
		{name: "loss 20%", faults: softroce.Faults{Loss: 0.2}, quirks: softroce.QuirksRXE},
		{
			name:   "all of it 20%",
			faults: softroce.Faults{Loss: 0.2, Duplicate: 0.2, Reorder: 0.2, Corrupt: 0.2},
			quirks: softroce.QuirksRXE,
		},
	}
}

// TestSoak sends messages of every kind over a bad link: each arrives exactly
// once, in order and byte for byte.
func TestSoak(t *testing.T) {
	seed := *soakSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d: repeat with -run TestSoak -seed %d", seed, seed)
	list := forecasts()
	for i, w := range list {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { soak(t, w, seed+uint64(i), *soakMessages/len(list)) })
		})
	}
}

func soak(t *testing.T, w weather, seed uint64, messages int) {
	t.Helper()
	faults := softroce.NewFaults(seed)
	faults.Loss, faults.Duplicate = w.faults.Loss, w.faults.Duplicate
	faults.Reorder, faults.Corrupt = w.faults.Reorder, w.faults.Corrupt
	drv := softroce.New(softroce.Options{Hook: faults, Quirks: w.quirks, MTU: verbs.MTU256})
	a, b := verbstest.Pair(t, drv, verbstest.Config{
		Size: soakRegion * (soakDepth + 1), SigAll: true,
		Attr: verbs.QPAttr{Timeout: 7, RetryCnt: 7, RNRRetry: 7}, // half a millisecond
		Mask: verbs.AttrTimeout,
	})
	s := &soaker{t: t, a: a, b: b, rng: rand.New(rand.NewPCG(seed, 1))}
	for range 64 << 10 {
		s.noise = append(s.noise, byte(s.rng.Uint32()))
	}
	for i := range soakDepth {
		s.repost(i)
	}
	for s.done < messages {
		for s.next-s.done < soakDepth && s.next < messages {
			s.post()
		}
		s.reap()
	}
	s.finish(messages)
}

const (
	soakDepth  = 16 // messages under way
	soakRegion = 2048
	// The last region of each buffer is the target of READ, WRITE and atomics.
	soakTarget = soakRegion * soakDepth
)

// soaker drives both ends. Message i uses region i modulo soakDepth.
type soaker struct {
	t          *testing.T
	a, b       *verbstest.Node
	rng        *rand.Rand
	next, done int
	sent       []soakMessage // under way, oldest first
	expect     []soakMessage // receives to come at b
	recvs      int
	adds       uint64
	noise      []byte // payloads are cut out of it
}

type soakMessage struct {
	id   int
	op   verbs.WROpcode
	data []byte // sent, or expected back
}

var soakOps = []verbs.WROpcode{
	verbs.WRSend, verbs.WRSend, verbs.WRSendWithImm, verbs.WRRDMAWriteWithImm, verbs.WRRDMARead, verbs.WRAtomicFetchAndAdd,
}

func (s *soaker) repost(i int) { s.b.Recv(uint64(i), i%soakDepth*soakRegion, soakRegion) }

// post posts one message of a random kind and length.
func (s *soaker) post() {
	m := soakMessage{id: s.next, op: soakOps[s.rng.IntN(len(soakOps))]}
	s.next++
	off := m.id % soakDepth * soakRegion
	size := s.rng.IntN(1500)
	wr := verbs.SendWR{WRID: uint64(m.id), Opcode: m.op, Imm: uint32(m.id)}
	switch m.op {
	case verbs.WRAtomicFetchAndAdd:
		size = 8
		wr.CompareAdd, wr.RemoteAddr, wr.RKey = 1, s.b.Buf.Addr()+soakTarget+1024, s.b.MR.RKey()
		m.data = binary.NativeEndian.AppendUint64(nil, s.adds)
		s.adds++
	case verbs.WRRDMARead:
		size %= 1024
		wr.RemoteAddr, wr.RKey = s.b.Buf.Addr()+soakTarget, s.b.MR.RKey()
		m.data = bytes.Clone(s.b.Buf.Bytes()[soakTarget : soakTarget+size])
	default:
		start := s.rng.IntN(len(s.noise) - size)
		m.data = s.noise[start : start+size]
		copy(s.a.Buf.Bytes()[off:], m.data)
		if m.op == verbs.WRRDMAWriteWithImm {
			size = 0 // the target is read by READs under way: leave it alone
			wr.RKey = 12345
		}
		s.expect = append(s.expect, m)
	}
	wr.SGList = s.a.SGE(off, size)
	s.a.Post(wr)
	s.sent = append(s.sent, m)
}

// reap takes what has completed at both ends, waiting for at least one.
func (s *soaker) reap() {
	s.take(s.a.Wait(s.a.SendCQ))
	var wc [soakDepth]verbs.WC
	n, err := s.b.RecvCQ.Poll(wc[:])
	if err != nil {
		s.t.Fatal(err)
	}
	for i := range n {
		s.took(wc[i])
	}
}

// take checks a completion of the sender.
func (s *soaker) take(wc verbs.WC) {
	m := s.sent[0]
	s.sent = s.sent[1:]
	s.done++
	if wc.Status != verbs.WCSuccess || wc.WRID != uint64(m.id) {
		s.t.Fatalf("work request %d: %v, want %d: success", wc.WRID, wc.Status, m.id)
	}
	if m.op == verbs.WRRDMARead || m.op == verbs.WRAtomicFetchAndAdd {
		off := m.id % soakDepth * soakRegion
		if !bytes.Equal(s.a.Buf.Bytes()[off:off+len(m.data)], m.data) {
			s.t.Fatalf("%v %d brought other data", m.op, m.id)
		}
	}
}

// took checks a completion of the receiver.
func (s *soaker) took(wc verbs.WC) {
	if len(s.expect) == 0 {
		s.t.Fatalf("receive %d completed once too often", wc.WRID)
	}
	m := s.expect[0]
	s.expect = s.expect[1:]
	if wc.Status != verbs.WCSuccess || wc.WRID != uint64(s.recvs) {
		s.t.Fatalf("receive %d: %v, want %d", wc.WRID, wc.Status, s.recvs)
	}
	off := s.recvs % soakDepth * soakRegion
	got := s.b.Buf.Bytes()[off : off+int(wc.ByteLen)]
	switch {
	case m.op == verbs.WRRDMAWriteWithImm:
		if wc.Opcode != verbs.WCRecvRDMAWithImm || wc.Imm != uint32(m.id) {
			s.t.Fatalf("message %d: %v with %d", m.id, wc.Opcode, wc.Imm)
		}
	case !bytes.Equal(got, m.data):
		s.t.Fatalf("message %d: %s", m.id, difference(got, m.data))
	case m.op == verbs.WRSendWithImm && wc.Imm != uint32(m.id):
		s.t.Fatalf("message %d has immediate %d", m.id, wc.Imm)
	}
	s.recvs++
	s.repost(s.recvs + soakDepth - 1)
}

func difference(got, want []byte) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
	}
	return "other bytes"
}

// finish checks that nothing is left over.
func (s *soaker) finish(messages int) {
	var wc [1]verbs.WC
	for len(s.expect) > 0 {
		n, err := s.b.RecvCQ.Poll(wc[:])
		if err != nil || n == 0 {
			s.t.Fatalf("%d messages never arrived (%v)", len(s.expect), err)
		}
		s.took(wc[0])
	}
	s.b.None(s.b.RecvCQ)
	s.a.None(s.a.SendCQ)
	if got := binary.NativeEndian.Uint64(s.b.Buf.Bytes()[soakTarget+1024:]); got != s.adds {
		s.t.Errorf("the word was added to %d times, want %d", got, s.adds)
	}
	s.t.Logf("%d messages, %d received", messages, s.recvs)
}
