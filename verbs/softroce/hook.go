package softroce

import (
	"math/rand/v2"
	"time"
)

// Hook is the weather on a link: what becomes of a packet between two queue
// pairs. It is called with the device locked, must not call the device, and
// must not keep b.
type Hook interface {
	// Carry calls deliver for every copy of the packet b (BTH to ICRC) that is
	// to arrive, at once or after a time. Not calling it loses the packet.
	Carry(b []byte, deliver func(b []byte, after time.Duration))
}

// HookFunc is a Hook made of a function.
type HookFunc func(b []byte, deliver func(b []byte, after time.Duration))

// Carry calls f.
func (f HookFunc) Carry(b []byte, deliver func(b []byte, after time.Duration)) { f(b, deliver) }

// Faults is a Hook that damages traffic at random. The fields are
// probabilities from 0 to 1. The same seed makes the same decisions for the
// same sequence of packets.
type Faults struct {
	Loss      float64
	Duplicate float64
	Reorder   float64 // held back for up to ReorderBy
	Corrupt   float64 // one bit flips
	ReorderBy time.Duration
	Delay     time.Duration // of every packet

	rng *rand.Rand
	buf []byte
}

// NewFaults returns faults to be filled in, with a seed.
func NewFaults(seed uint64) *Faults {
	return &Faults{rng: rand.New(rand.NewPCG(seed, seed)), ReorderBy: 100 * time.Microsecond}
}

// Carry decides the fate of one packet.
func (f *Faults) Carry(b []byte, deliver func(b []byte, after time.Duration)) {
	if f.hit(f.Loss) {
		return
	}
	copies := 1
	if f.hit(f.Duplicate) {
		copies = 2
	}
	for range copies {
		after := f.Delay
		if f.hit(f.Reorder) && f.ReorderBy > 0 {
			after += 1 + time.Duration(f.rng.Int64N(int64(f.ReorderBy)))
		}
		deliver(f.damage(b), after)
	}
}

func (f *Faults) hit(p float64) bool { return p > 0 && f.rng.Float64() < p }

func (f *Faults) damage(b []byte) []byte {
	if !f.hit(f.Corrupt) {
		return b
	}
	f.buf = append(f.buf[:0], b...)
	bit := f.rng.IntN(8 * len(b))
	f.buf[bit/8] ^= 1 << (bit % 8)
	return f.buf
}
