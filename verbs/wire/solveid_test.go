package wire

import (
	"math/rand/v2"
	"testing"
)

func TestSolveIDVectors(t *testing.T) {
	for _, v := range vectors() {
		e := v.env
		e.ID = 0xFFFF // not read
		if !e.Is4() {
			e.ID = 0
		}
		if id, ok := e.SolveID(unhex(t, v.ib)); !ok || id != v.env.ID {
			t.Errorf("%s: %#04x, %v; want %#04x", v.name, id, ok, v.env.ID)
		}
	}
}

func TestSolveIDEveryID(t *testing.T) {
	e := between("192.0.2.1:49443", "192.0.2.2:4791")
	blind := e
	p := sendOnly()
	buf := make([]byte, 0, p.Len())
	for id := range 1 << 16 {
		e.ID = uint16(id)
		b := e.Seal(buf, &p)
		if got, ok := blind.SolveID(b); !ok || got != e.ID {
			t.Fatalf("id %#04x: %#04x, %v", id, got, ok)
		}
	}
}

func TestSolveIDEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 0; n <= 60000; n = n*5/4 + 1 {
		e := randomEnvelope(r, true)
		p := sample(OpSendOnly, n)
		b := e.Seal(nil, &p)
		if got, ok := e.SolveID(b); !ok || got != e.ID {
			t.Errorf("%d bytes, id %#04x: %#04x, %v", n, e.ID, got, ok)
		}
	}
}

// TestSolveIDDetects damages a packet: no change of a single byte passes, and of
// random ones about one in 65536.
func TestSolveIDDetects(t *testing.T) {
	e := between("192.0.2.1:49443", "192.0.2.2:4791")
	p := sendOnly()
	b := e.Seal(nil, &p)
	for i := range b {
		for flip := 1; flip < 256; flip++ {
			b[i] ^= byte(flip)
			if id, ok := e.SolveID(b); ok != (i == bthResv6) {
				t.Errorf("byte %d xor %#02x: id %#04x, %v", i, flip, id, ok)
			}
			b[i] ^= byte(flip)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	passed := 0
	const rounds = 200_000
	for range rounds {
		for i := BTHLen; i < len(b); i++ {
			b[i] = byte(r.Uint32())
		}
		if _, ok := e.SolveID(b); ok {
			passed++
		}
	}
	if passed > 20 { // 3 expected
		t.Errorf("%d of %d random packets passed", passed, rounds)
	}
}

func TestSolveIDv6(t *testing.T) {
	e := between("[2001:db8::1]:49443", "[2001:db8::2]:4791")
	p := sendOnly()
	b := e.Seal(nil, &p)
	if id, ok := e.SolveID(b); !ok || id != 0 {
		t.Errorf("good packet: %#04x, %v", id, ok)
	}
	b[len(b)-1] ^= 1
	if _, ok := e.SolveID(b); ok {
		t.Error("SolveID accepts a damaged packet")
	}
}

func TestRewindUndoesZeroBytes(t *testing.T) {
	r := uint32(0x12345678)
	for n := range 3000 {
		if got := rewind(r, n); got != 0x12345678 {
			t.Fatalf("rewind by %d bytes: %#x", n, got)
		}
		r = r>>8 ^ sliceTables[0][uint8(r)]
	}
}
