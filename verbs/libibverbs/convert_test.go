//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"unsafe"

	"ibtour/verbs"
)

// numberFields fills every field of a structure with another value, so that one
// that is forgotten or mixed up shows.
func numberFields(v reflect.Value, next *uint64) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			numberFields(v.Field(i), next)
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			numberFields(v.Index(i), next)
		}
	case v.CanUint():
		*next++
		v.SetUint(*next)
	default:
		v.SetBool(true)
	}
}

func TestQPAttrRoundTrip(t *testing.T) {
	var want verbs.QPAttr
	var n uint64
	numberFields(reflect.ValueOf(&want).Elem(), &n)
	if n < 60 {
		t.Fatalf("only %d fields were filled", n)
	}
	a, done, err := borrow[cQPAttr](&scratch{})
	ok(t, err)
	defer done()
	a.from(&want)
	if got := a.attr(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestQueriedFields reads structures whose bytes count up: every field is
// then different from every other.
func TestQueriedFields(t *testing.T) {
	device, done, err := borrow[cDeviceAttr](&scratch{})
	ok(t, err)
	defer done()
	countUp(addrOf(device), unsafe.Sizeof(*device))
	port, done, err := borrow[cPortAttr](&scratch{})
	ok(t, err)
	defer done()
	countUp(addrOf(port), unsafe.Sizeof(*port))

	attr := device.attr()
	allDifferent(t, reflect.ValueOf(attr))
	allDifferent(t, reflect.ValueOf(port.attr()))
	if attr.NodeGUID != 0x4142434445464748 || attr.MaxQP != 0x706f6e6d || attr.PhysPortCnt != 0xe4 {
		t.Errorf("node GUID %v, max QP %#x, ports %#x", attr.NodeGUID, attr.MaxQP, attr.PhysPortCnt)
	}
	if p := port.attr(); p.LID != 0x2423 || p.Flags != 0x30 {
		t.Errorf("LID %v, flags %#x", p.LID, p.Flags)
	}
}

func countUp(addr, size uintptr) {
	for i, b := 0, array[byte](addr, int(size)); i < len(b); i++ {
		b[i] = byte(i + 1)
	}
}

func allDifferent(t *testing.T, v reflect.Value) {
	t.Helper()
	seen := map[any]string{}
	for i := range v.NumField() {
		name, value := v.Type().Field(i).Name, v.Field(i)
		if value.IsZero() {
			t.Errorf("%s is not filled in", name)
		}
		key := value.Interface()
		if value.CanUint() {
			key = value.Uint()
		}
		if other := seen[key]; other != "" {
			t.Errorf("%s and %s are both %v", name, other, key)
		}
		seen[key] = name
	}
}

func TestSendWR(t *testing.T) {
	slot, sges, mem, err := newSlot[sendSlot](2)
	ok(t, err)
	defer mem.free()
	wr := verbs.SendWR{
		WRID: 7, SGList: []verbs.SGE{{Addr: 8, Length: 9, LKey: 10}, {Addr: 11}, {Addr: 12}}, Flags: verbs.SendInline,
		Imm: 0x01020304, InvalidateRKey: 0x0a0b0c0d, RemoteAddr: 13, RKey: 14, CompareAdd: 15, Swap: 16,
	}
	for _, c := range []struct {
		opcode verbs.WROpcode
		imm    []byte
		union  [4]uint64
	}{
		{verbs.WRSend, []byte{0, 0, 0, 0}, [4]uint64{13, 14}},
		{verbs.WRSendWithImm, []byte{1, 2, 3, 4}, [4]uint64{13, 14}},
		{verbs.WRRDMAWriteWithImm, []byte{1, 2, 3, 4}, [4]uint64{13, 14}},
		{verbs.WRSendWithInv, []byte{13, 12, 11, 10}, [4]uint64{13, 14}},
		{verbs.WRRDMARead, []byte{0, 0, 0, 0}, [4]uint64{13, 14}},
		{verbs.WRAtomicCmpAndSwp, []byte{0, 0, 0, 0}, [4]uint64{13, 15, 16, 14}},
		{verbs.WRAtomicFetchAndAdd, []byte{0, 0, 0, 0}, [4]uint64{13, 15, 16, 14}},
	} {
		wr.Opcode = c.opcode
		slot.wr.from(&wr, sges)
		imm := binary.NativeEndian.AppendUint32(nil, slot.wr.imm)
		if string(imm) != string(c.imm) || slot.wr.wr != c.union || slot.wr.opcode != uint32(c.opcode) {
			t.Errorf("%v: %+v, imm %v", c.opcode, slot.wr, imm)
		}
	}
	if slot.wr.wrID != 7 || slot.wr.numSGE != 2 || slot.wr.flags != 8 || sges[0].lkey != 10 || sges[1].addr != 11 {
		t.Errorf("%+v, %+v", slot.wr, sges)
	}
}

func TestInvalidatedKey(t *testing.T) {
	w := cWC{imm: 0x0a0b0c0d, flags: uint32(verbs.WCWithInv)}
	var wc verbs.WC
	w.to(&wc)
	if wc.InvalidatedRKey != 0x0a0b0c0d || wc.Imm != 0 {
		t.Errorf("%+v", wc)
	}
}

// TestGIDFromSysfs reads what an old library needs from a copy of sysfs.
func TestGIDFromSysfs(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"types/0": "IB/RoCE v1\n", "types/1": "RoCE v2\n", "ndevs/0": "lo\n", "ndevs/1": "nonexistent\n",
	} {
		ok(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o700))
		ok(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	for i, want := range []cGIDEntry{{gidType: 0, ndevIfindex: 1}, {gidType: 2, ndevIfindex: 0}} {
		var e cGIDEntry
		ok(t, e.fromSysfs(dir, i))
		if e != want {
			t.Errorf("entry %d: got %+v, want %+v", i, e, want)
		}
	}
	var e cGIDEntry
	if err := e.fromSysfs(dir, 2); !errors.Is(err, syscall.ENOENT) {
		t.Errorf("no such entry: %v", err)
	}
}
