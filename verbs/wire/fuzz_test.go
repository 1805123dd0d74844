package wire

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
)

// FuzzParse: whatever comes, Parse either gives the reason or a packet that
// writes the same bytes again; nothing panics.
func FuzzParse(f *testing.F) {
	for _, op := range rcOpcodes() {
		for _, n := range []int{0, 1, 4} {
			p := sample(op, n)
			b := p.Append(nil)
			f.Add(b)
			f.Add(b[:len(b)-1])
		}
	}
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{0xFF}, 64))
	f.Fuzz(func(t *testing.T, b []byte) {
		fields, descErr := Describe(b)
		p, err := Parse(b[:len(b):len(b)])
		if err != nil {
			var pe *ParseError
			if !errors.As(err, &pe) || pe.Reason < ErrTruncated || pe.Reason > ErrPad || descErr == nil {
				t.Fatalf("Parse: %v; Describe: %v", err, descErr)
			}
			return
		}
		if out := p.Append(nil); !bytes.Equal(out, b) || p.Len() != len(b) {
			t.Fatalf("parsed %x, wrote %x", b, out)
		}
		last := fields[len(fields)-1]
		if descErr != nil || last.Bit+last.Bits != 8*len(b) {
			t.Fatalf("fields end at bit %d of %d, %v", last.Bit+last.Bits, 8*len(b), descErr)
		}
	})
}

// FuzzSolveID: the identification is found for any sealed packet, and whatever
// SolveID accepts is right by the slow definition.
func FuzzSolveID(f *testing.F) {
	for _, v := range vectors() {
		if v.env.Is4() {
			src, dst := v.env.Src.Addr().As4(), v.env.Dst.Addr().As4()
			f.Add(src[:], dst[:], v.env.Src.Port(), v.env.ID, unhex(f, v.ib))
		}
	}
	f.Fuzz(func(t *testing.T, src, dst []byte, port, id uint16, b []byte) {
		if len(src) != 4 || len(dst) != 4 || len(b) < BTHLen+ICRCLen || len(b) > 65507 {
			t.Skip()
		}
		e := Envelope{
			Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte(src)), port),
			Dst: netip.AddrPortFrom(netip.AddrFrom4([4]byte(dst)), Port),
		}
		if got, ok := e.SolveID(b); ok {
			e.ID = got
			if !e.Verify(b) {
				t.Fatalf("SolveID gives %#04x, Verify refuses it", got)
			}
		}
		e.ID = id
		covered := b[:len(b)-ICRCLen]
		want := slowICRC(e.AppendHeaders(nil, len(b)), covered)
		sealed := append(bytes.Clone(covered), byte(want), byte(want>>8), byte(want>>16), byte(want>>24))
		e.ID = 0
		if got, ok := e.SolveID(sealed); !ok || got != id {
			t.Fatalf("sealed with %#04x, solved %#04x, %v", id, got, ok)
		}
	})
}
