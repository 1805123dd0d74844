package softroce

import "ibtour/verbs/wire"

// saved is a READ or atomic that was executed and may be asked for again
// (IBTA vol. 1, 9.7.5.1.3: responder resources).
type saved struct {
	kind  wire.Kind // KindNone: free
	first wire.PSN
	npsn  int
	reth  wire.RETH // of a READ
	orig  uint64    // what the word held before an atomic
}

func (s *saved) has(p wire.PSN) bool {
	return s.kind != wire.KindNone && !p.Before(s.first) && p.Before(s.first.Add(s.npsn))
}

// replayStore keeps the last max_dest_rd_atomic READs and atomics.
type replayStore struct {
	ring []saved
	next int
}

func newReplayStore(n int) replayStore { return replayStore{ring: make([]saved, n)} }

// add keeps an operation in place of the oldest one.
func (s *replayStore) add(op saved) {
	s.ring[s.next] = op
	s.next = (s.next + 1) % len(s.ring)
}

// find returns the operation a duplicate request belongs to, nil if it is no
// longer kept.
func (s *replayStore) find(p *wire.Packet) *saved {
	for i := range s.ring {
		if op := &s.ring[i]; op.kind == p.Opcode.Kind() && op.has(p.PSN) {
			return op
		}
	}
	return nil
}

// covers reports whether a repeated READ request asks for a part of the first
// one that begins where its PSN says.
func (s *saved) covers(p *wire.Packet, mtu int) bool {
	skip := uint64(p.PSN.Sub(s.first) * mtu)
	r := p.RETH
	return r.RKey == s.reth.RKey && r.VA == s.reth.VA+skip &&
		skip+uint64(r.DMALen) <= uint64(s.reth.DMALen)
}
