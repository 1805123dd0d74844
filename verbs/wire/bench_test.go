package wire

import (
	"fmt"
	"testing"
)

// Results are kept here so that the compiler cannot drop the work.
var (
	sinkPacket Packet
	sinkID     uint16
	sinkOK     bool
)

// work is everything that runs once per packet.
var work = []struct {
	name string
	run  func(e *Envelope, p *Packet, b []byte)
}{
	{"Parse", func(_ *Envelope, _ *Packet, b []byte) { sinkPacket, _ = Parse(b) }},
	{"Append", func(_ *Envelope, p *Packet, b []byte) { p.Append(b[:0]) }},
	{"Seal", func(e *Envelope, p *Packet, b []byte) { e.Seal(b[:0], p) }},
	{"Verify", func(e *Envelope, _ *Packet, b []byte) { sinkOK = e.Verify(b) }},
	{"SolveID", func(e *Envelope, _ *Packet, b []byte) { sinkID, sinkOK = e.SolveID(b) }},
	{"AppendHeaders", func(e *Envelope, p *Packet, b []byte) { e.AppendHeaders(b[:0], p.Len()) }},
}

func TestNoAllocations(t *testing.T) {
	for _, e := range []Envelope{
		between("192.0.2.1:49443", "192.0.2.2:4791"),
		between("[2001:db8::1]:49443", "[2001:db8::2]:4791"),
	} {
		for _, op := range rcOpcodes() {
			p := sample(op, 1024)
			b := e.Seal(make([]byte, 0, 2048), &p)
			scratch := make([]byte, len(b), 2048)
			for _, w := range work {
				copy(scratch[:cap(scratch)], b)
				if n := testing.AllocsPerRun(10, func() { w.run(&e, &p, scratch) }); n != 0 {
					t.Errorf("%s of %v: %v allocations, want 0", w.name, op, n)
				}
			}
		}
	}
}

func BenchmarkPacket(b *testing.B) {
	e := between("192.0.2.1:49443", "192.0.2.2:4791")
	for _, w := range work {
		for _, n := range []int{0, 64, 1024, 4096} {
			b.Run(fmt.Sprintf("%s/%d", w.name, n), func(b *testing.B) {
				p := sample(OpSendOnly, n)
				buf := e.Seal(make([]byte, 0, p.Len()+64), &p)
				b.ReportAllocs()
				for b.Loop() {
					w.run(&e, &p, buf)
				}
			})
		}
	}
}
