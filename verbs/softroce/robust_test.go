package softroce

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/verbstest"
	"ibtour/verbs/wire"
)

// victim is a connected queue pair that a stranger sends packets to.
type victim struct {
	dev  *device
	a, b *verbstest.Node
	q    *qp
	env  wire.Envelope // as its peer's packets have it
}

func newVictim(tb testing.TB) *victim {
	tb.Helper()
	drv := New(Options{Addr: netip.MustParseAddr("127.0.0.1")})
	a, b := verbstest.Pair(tb, drv, verbstest.Config{Size: 8192})
	v := &victim{dev: drv.(*driver).dev, a: a, b: b} //nolint:forcetypeassert // made by New
	v.q = v.dev.qps[b.QP.Num()]
	v.env = wire.Envelope{Src: v.q.env.Dst, Dst: v.q.env.Src}
	return v
}

// packet is a WRITE that the victim would execute.
func (v *victim) packet() wire.Packet {
	return wire.Packet{
		BTH: wire.BTH{
			Opcode: wire.OpWriteOnly, PKey: wire.DefaultPKey, DestQP: v.q.num, PSN: v.q.resp.psn, AckReq: true,
		},
		RETH:    wire.RETH{VA: v.b.Buf.Addr(), RKey: v.b.MR.RKey(), DMALen: 8},
		Payload: []byte("mischief"),
	}
}

func (v *victim) deliver(env wire.Envelope, b []byte, via Link) {
	v.dev.lock()
	defer v.dev.unlock()
	v.dev.receive(&env, b, via, v.dev.now())
	v.dev.pump()
}

func (v *victim) written() bool {
	return !bytes.Equal(v.b.Buf.Bytes(), make([]byte, v.b.Buf.Len()))
}

func TestTheVictimIsVulnerableToItsPeer(t *testing.T) {
	v := newVictim(t)
	p := v.packet()
	v.deliver(v.env, v.env.Seal(nil, &p), &v.dev.memory)
	if !v.written() {
		t.Fatal("a good packet was not executed: the other tests show nothing")
	}
}

// TestStrangersAreDropped: nothing is written, and the connection goes on.
func TestStrangersAreDropped(t *testing.T) {
	other := netip.MustParseAddrPort("127.0.0.9:4791")
	for _, c := range []struct {
		name  string
		why   dropReason
		spoil func(v *victim, env *wire.Envelope, p *wire.Packet) Link
	}{
		{"unknown QPN", dropQPN, func(v *victim, _ *wire.Envelope, p *wire.Packet) Link {
			p.DestQP = 0x4242
			return &v.dev.memory
		}},
		{"QPN 0", dropQPN, func(v *victim, _ *wire.Envelope, p *wire.Packet) Link {
			p.DestQP = 0
			return &v.dev.memory
		}},
		{"foreign source", dropAddress, func(v *victim, env *wire.Envelope, _ *wire.Packet) Link {
			env.Src = other
			return &v.dev.memory
		}},
		{"foreign destination", dropAddress, func(v *victim, env *wire.Envelope, _ *wire.Packet) Link {
			env.Dst = other
			return &v.dev.memory
		}},
		{"from the network instead of memory", dropAddress, func(*victim, *wire.Envelope, *wire.Packet) Link {
			return &udpLink{}
		}},
		{"P_Key", dropPKey, func(v *victim, _ *wire.Envelope, p *wire.Packet) Link {
			p.PKey = 0x7FFF
			return &v.dev.memory
		}},
		{"version", dropMalformed, func(v *victim, _ *wire.Envelope, p *wire.Packet) Link {
			p.TVer = 1
			return &v.dev.memory
		}},
		{"opcode", dropMalformed, func(v *victim, _ *wire.Envelope, p *wire.Packet) Link {
			p.Opcode = 0x1B
			return &v.dev.memory
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVictim(t)
			p, env := v.packet(), v.env
			via := c.spoil(v, &env, &p)
			v.deliver(env, env.Seal(nil, &p), via)
			if v.written() || v.q.state != verbs.QPSRTS {
				t.Errorf("written %v, state %v", v.written(), v.q.state)
			}
			if v.dev.dropped[c.why] != 1 {
				t.Errorf("drops %v", v.dev.dropped)
			}
		})
	}
}

// TestDamagedPacketsAreDropped flips every bit of a packet, one at a time, and
// cuts it at every length.
func TestDamagedPacketsAreDropped(t *testing.T) {
	v := newVictim(t)
	p := v.packet()
	good := v.env.Seal(nil, &p)
	for bit := range 8 * len(good) {
		if bit/8 == 4 {
			continue // FECN, BECN and reserved: not covered
		}
		bad := bytes.Clone(good)
		bad[bit/8] ^= 1 << (bit % 8)
		v.deliver(v.env, bad, &v.dev.memory)
	}
	for n := range good {
		v.deliver(v.env, good[:n], &v.dev.memory)
	}
	if v.written() || v.q.state != verbs.QPSRTS {
		t.Errorf("written %v, state %v", v.written(), v.q.state)
	}
}

func TestGuessedKeys(t *testing.T) {
	v := newVictim(t)
	rng := rand.New(rand.NewPCG(1, 2))
	right := v.b.MR.RKey()
	for i := range 200_000 {
		key := wire.RKey(rng.Uint32())
		switch i % 3 {
		case 0:
			key = right + wire.RKey(1+i/3) // the next ones
		case 1:
			key = right ^ 1<<(i/3%32)
		}
		if key != right && key != v.a.MR.RKey() && v.dev.remote(v.q.pd, key, v.b.Buf.Addr(), 1, 0) != nil {
			t.Fatalf("key %v opens the region of %v", key, right)
		}
	}
	if v.dev.remote(v.q.pd, v.a.MR.RKey(), v.a.Buf.Addr(), 1, 0) != nil {
		t.Error("the key of another domain opens its region")
	}
	if v.dev.remote(v.q.pd, wire.RKey(v.b.MR.LKey()), v.b.Buf.Addr(), 1, 0) != nil {
		t.Error("the lkey is a remote key")
	}
}

// FuzzReceive gives a connected queue pair any bytes as a packet, and the same
// with a right ICRC. Whatever they are, memory outside its domain stays as it
// is and nothing piles up.
func FuzzReceive(f *testing.F) {
	v := newVictim(f)
	p := v.packet()
	f.Add(v.env.Seal(nil, &p))
	for op := range wire.Opcode(0x20) {
		if !op.Known() {
			continue
		}
		q := p
		q.Opcode = op
		q.AtomicETH = wire.AtomicETH{VA: v.b.Buf.Addr(), RKey: v.b.MR.RKey()}
		f.Add(v.env.Seal(nil, &q))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v := newVictim(t)
		v.b.Recv(1, 4096, 100)
		v.a.Recv(1, 4096, 100)
		v.deliver(v.env, b, &v.dev.memory)
		v.deliver(v.env, v.reseal(b), &v.dev.memory)
		if v.dev.memory.n != 0 || len(v.dev.memory.ring) > 2*maxQueued+burst || len(v.dev.turns) != 0 {
			t.Errorf("%d packets under way in a ring of %d", v.dev.memory.n, len(v.dev.memory.ring))
		}
		if !bytes.Equal(v.a.Buf.Bytes(), make([]byte, v.a.Buf.Len())) {
			t.Error("memory of another domain was written")
		}
	})
}

// reseal makes any bytes a packet to the victim with its next PSN and a right
// ICRC, as far as there is room.
func (v *victim) reseal(b []byte) []byte {
	out := bytes.Clone(b)
	if len(out) < wire.BTHLen+wire.ICRCLen {
		return out
	}
	binary.BigEndian.PutUint16(out[2:], uint16(wire.DefaultPKey))
	binary.BigEndian.PutUint32(out[4:], uint32(v.q.num))
	binary.BigEndian.PutUint32(out[8:], 1<<31|uint32(v.q.resp.psn))
	n := len(out) - wire.ICRCLen
	binary.LittleEndian.PutUint32(out[n:], uint32(v.env.ICRC(out[:n])))
	return out
}
