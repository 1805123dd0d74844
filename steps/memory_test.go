package steps

import (
	"bytes"
	"slices"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
)

func testBuffer(t *testing.T, size int) *verbs.Buffer {
	t.Helper()
	b, err := verbs.AllocBuffer(size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Free() })
	for i := range b.Bytes() {
		b.Bytes()[i] = fill
	}
	return b
}

// TestMemory reads buffers of odd sizes back at every kind of offset, and
// counts the bytes that are not the fill.
func TestMemory(t *testing.T) {
	for _, size := range []int{0, 1, 100, memoryPage, memoryPage + 1, 3*memoryPage - 5} {
		b := testBuffer(t, size)
		stamped := 0
		for _, at := range []int{0, 64, 4095, 4096, 8200} {
			if at < size {
				b.Bytes()[at] = byte(at)
				stamped++
			}
		}
		m := readMemory(b, nil, nil)
		if m.Len() != size || m.Changed() != stamped {
			t.Errorf("%d bytes: length %d, %d differ from the fill; want %d", size, m.Len(), m.Changed(), stamped)
		}
		for _, r := range [][2]int{{0, size}, {0, 16}, {60, 16}, {4090, 16}, {8190, 4096}, {size, 16}} {
			if from := r[0]; from <= size {
				want := b.Bytes()[from:min(from+r[1], size)]
				if got := m.Bytes(from, r[1]); !bytes.Equal(got, want) {
					t.Errorf("%d bytes from %d: % x, want % x", r[1], from, got, want)
				}
			}
		}
	}
}

// TestMemoryShares: a page that did not change is the one of the last look, and
// one that is as another of any buffer is that one.
func TestMemoryShares(t *testing.T) {
	b := testBuffer(t, 4*memoryPage)
	old := readMemory(b, nil, nil)
	b.Bytes()[2*memoryPage+99] = 1
	now := readMemory(b, nil, old)
	for i, want := range []bool{true, true, false, true} {
		if got := now.SamePage(i, old, i); got != want {
			t.Errorf("page %d is as before: %v, want %v", i, got, want)
		}
	}
	if !now.SamePage(0, now, 3) || now.Equal(old) || !now.Equal(readMemory(b, nil, nil)) {
		t.Error("equal pages are not the same, or equal contents not equal")
	}
	if now.Equal(nil) || !(*Memory)(nil).Equal(nil) || now.Equal(readMemory(testBuffer(t, 5), nil, now)) {
		t.Error("a content equals none, or one of another size")
	}
}

// TestMemoryIsBounded walks with messages of 256 KiB that are new in every round
// trip: of both ends, before and after every step, two contents are kept
// besides the fill, the walked one and the last one, not one for each moment.
func TestMemoryIsBounded(t *testing.T) {
	const size = 1 << 18
	o := DefaultOptions()
	o.Device, o.TCPPort, o.Iters, o.RxDepth, o.Walk, o.Check, o.Size = softroce.DefaultName, 0, 4, 3, true, true, size
	kept, looks := map[any]bool{}, 0
	r := Runner{
		Tour: &RCPingPong, Opts: &o, Driver: softroce.New(softroce.Options{}), Roles: []Role{Server, Client}, Observe: true,
		Sink: func(ev Event) {
			if ev.State == nil {
				return
			}
			for i := range ev.State.Ends {
				if b := ev.State.Ends[i].Buffer; b != nil {
					looks++
					for _, p := range b.Memory.pages {
						kept[p] = true
					}
				}
			}
		},
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := 2*size/memoryPage + 1; len(kept) != want || looks < 100 {
		t.Errorf("%d looks at 256 KiB keep %d pages, want %d", looks, len(kept), want)
	}
}

// TestSame tells contents apart that no fact tells apart.
func TestSame(t *testing.T) {
	b := testBuffer(t, 256)
	look := func() *Snapshot {
		m := readMemory(b, nil, nil)
		return &Snapshot{Ends: []EndState{{Role: Client, Buffer: &BufferState{Len: 256, Memory: m}}}}
	}
	b.Bytes()[200] = 1
	one := look()
	b.Bytes()[200] = 2
	two := look()
	if len(Diff(one, two)) != 0 || one.Same(two) || !two.Same(look()) {
		t.Errorf("%d facts differ; same: %v", len(Diff(one, two)), one.Same(two))
	}
	if one.Same(&Snapshot{}) || one.Same(&Snapshot{Ends: []EndState{{Role: Client}}}) {
		t.Error("a snapshot without the buffer is the same")
	}
}

// TestSoftDeviceCounts: soft0 counts the pages of its regions, whole ones, and
// the snapshot says so.
func TestSoftDeviceCounts(t *testing.T) {
	o := DefaultOptions()
	o.Device, o.TCPPort, o.Iters, o.RxDepth, o.Walk, o.Size = softroce.DefaultName, 0, 2, 2, true, 5000
	var got []int64
	r := Runner{
		Tour: &RCPingPong, Opts: &o, Driver: softroce.New(softroce.Options{}), Roles: []Role{Server, Client}, Observe: true,
		Sink: func(ev Event) {
			if ev.Kind == StepDone && ev.State.Booked != nil && (len(got) == 0 || got[len(got)-1] != *ev.State.Booked) {
				got = append(got, *ev.State.Booked)
			}
		},
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []int64{0, 8192, 16384, 8192, 0}; !slices.Equal(got, want) {
		t.Errorf("soft0 counted %d, want %d", got, want)
	}
}
