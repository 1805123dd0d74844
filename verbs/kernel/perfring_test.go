package kernel

import (
	"encoding/binary"
	"slices"
	"testing"
)

// record is a record of a ring.
func record(kind uint32, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = binary.LittleEndian.AppendUint16(b, 0)
	return append(binary.LittleEndian.AppendUint16(b, uint16(recordHeader+len(body))), body...)
}

// sample is the raw data of a tracepoint and what follows them, as a body.
func sample(tracepoint uint16, id uint64, rest []uint64, values ...uint64) []byte {
	raw := binary.LittleEndian.AppendUint16(nil, tracepoint)
	raw = append(raw, 0, 0, 1, 2, 3, 4)
	for _, v := range append([]uint64{id}, values...) {
		raw = binary.LittleEndian.AppendUint64(raw, v)
	}
	raw = append(raw, 0, 0, 0, 0) // so that the size before it leaves what follows aligned
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(raw)))
	b = append(b, raw...)
	for _, v := range rest {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func TestParseRing(t *testing.T) {
	const enter, exit = 351, 350
	stack := []uint64{2, 0x7ff0, 16, 0x1122334455667788, 0xff, 9} // abi, sp, size, data, in use
	ring := slices.Concat(
		record(recordSample, sample(enter, 16, stack, 1, 2, 3, 4, 5, 6)),
		record(3, []byte("comm1234")), // of another kind
		record(recordSample, sample(exit, 16, nil, ^uint64(27))),
		record(recordSample, sample(enter, 1, []uint64{0}, 1, 2, 3, 4, 5, 6)), // without a stack
		record(recordLost, make([]byte, 8)),                                   // too short to count
		record(recordLost, append(make([]byte, 8), 5, 0, 0, 0, 0, 0, 0, 0)),
		record(recordSample, sample(99, 1, nil, 0)),         // of another tracepoint
		record(recordSample, sample(enter, 1, nil, 1, 2)),   // arguments missing
		record(recordSample, []byte{255, 0, 0, 0}),          // cut off
		record(recordSample, sample(exit, 1, nil, 32))[:20], // the end of the ring
	)
	all, lost := parseRing(ring, enter, exit)
	if lost != 5 || len(all) != 3 {
		t.Fatalf("%d lost, want 5; crossings %v", lost, all)
	}
	in := all[0]
	if !in.enter || in.id != 16 || in.args != [6]uint64{1, 2, 3, 4, 5, 6} {
		t.Errorf("the first is %+v", in)
	}
	if got, want := in.stack.at(0x7ff0+7), []byte{0x11, 0xff}; !slices.Equal(got, want) {
		t.Errorf("the stack from its eighth byte on is % x, want % x", got, want)
	}
	if in.stack.at(0x7fef) != nil || in.stack.at(0x7ff9) != nil {
		t.Error("there are bytes outside of what was copied")
	}
	if out := all[1]; out.enter || out.id != 16 || out.result != -28 {
		t.Errorf("the second is %+v", out)
	}
	huge := []uint64{2, 0x7ff0, ^uint64(7), 0, 0}
	if c, ok := parseSample(sample(enter, 1, huge, 1, 2, 3, 4, 5, 6), enter, exit); !ok || c.stack.data != nil {
		t.Errorf("a stack of 2^64-8 bytes is %+v", c.stack)
	}
	if all[2].stack.data != nil || all[2].id != 1 {
		t.Errorf("the third is %+v", all[2])
	}
}

func TestUnroll(t *testing.T) {
	ring := []byte("abcdefgh")
	for _, c := range []struct {
		from, to uint64
		want     string
	}{{0, 0, ""}, {0, 8, "abcdefgh"}, {2, 5, "cde"}, {6, 11, "ghabc"}, {14, 22, "ghabcdef"}, {5, 4, ""}, {0, 9, ""}} {
		if got := string(unroll(ring, c.from, c.to)); got != c.want {
			t.Errorf("from %d to %d: %q, want %q", c.from, c.to, got, c.want)
		}
	}
	if unroll(ring[:7], 0, 3) != nil {
		t.Error("a ring of 7 bytes is none")
	}
}

func FuzzParseRing(f *testing.F) {
	f.Add(record(recordSample, sample(351, 16, []uint64{2, 1, 0}, 1, 2, 3, 4, 5, 6)))
	f.Add(record(recordLost, make([]byte, 16)))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, _ := parseRing(b, 351, 350)
		for i := range all {
			if n := len(all[i].stack.data); n > len(b) {
				t.Errorf("%d bytes of stack from %d of ring", n, len(b))
			}
		}
	})
}
