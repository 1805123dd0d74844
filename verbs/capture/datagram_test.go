package capture

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"testing"

	"golang.org/x/net/bpf"

	"ibtour/verbs/wire"
)

// datagram returns an IP packet with a SEND Only of 5 bytes, and its payload.
func datagram(src, dst string) (ip, payload []byte) {
	env := wire.Envelope{
		Src: netip.MustParseAddrPort(src), Dst: netip.MustParseAddrPort(dst),
		ID: 0xBEEF, TrafficClass: 0x28, HopLimit: 63,
	}
	p := wire.Packet{BTH: wire.BTH{Opcode: wire.OpSendOnly, PKey: 0xFFFF, DestQP: 0x11, PSN: 7, AckReq: true}, Payload: []byte("hello")}
	payload = env.Seal(nil, &p)
	return append(env.AppendHeaders(nil, len(payload)), payload...), payload
}

const (
	src4, dst4 = "10.0.0.1:50000", "10.0.0.2:4791"
	src6, dst6 = "[fd00::1]:50000", "[fd00::2]:4791"
)

// withOptions puts n bytes of IPv4 options behind the header.
func withOptions(ip []byte, n int) []byte {
	out := slices.Insert(slices.Clone(ip), ipv4Len, make([]byte, n)...)
	out[0] += byte(n / 4)
	binary.BigEndian.PutUint16(out[2:], uint16(len(out)))
	return out
}

// passed runs the filter as the kernel does.
func passed(tb testing.TB, ip []byte) bool {
	tb.Helper()
	var program []bpf.Instruction
	for _, r := range filter {
		program = append(program, r.Disassemble())
	}
	vm, err := bpf.NewVM(program)
	if err != nil {
		tb.Fatal(err)
	}
	n, err := vm.Run(ip)
	if err != nil {
		tb.Fatal(err)
	}
	return n > 0
}

func TestParse(t *testing.T) {
	for _, c := range [][2]string{{src4, dst4}, {src6, dst6}} {
		ip, payload := datagram(c[0], c[1])
		d, err := Parse(append(slices.Clone(ip), 0, 0, 0)) // padded like a short frame
		if err != nil {
			t.Fatal(err)
		}
		e := d.Envelope
		if e.Src.String() != c[0] || e.Dst.String() != c[1] || e.TrafficClass != 0x28 || e.HopLimit != 63 ||
			e.Is4() && (e.ID != 0xBEEF || e.MayFragment) || d.Checksum != 0 || d.Options != 0 || d.Missing != 0 {
			t.Errorf("%s is read as %+v", c[0], d)
		}
		if !slices.Equal(d.Payload, payload) || d.ICRC() != ICRCValid || !passed(t, ip) {
			t.Errorf("%s: payload %x, ICRC %v", c[0], d.Payload, d.ICRC())
		}
		d.Payload = slices.Clone(d.Payload)
		d.Payload[13] ^= 1
		if d.ICRC() != ICRCWrong {
			t.Errorf("%s: a damaged payload has an ICRC that is %v", c[0], d.ICRC())
		}
	}
}

// Options are skipped. The ICRC is not defined over them.
func TestParseOptions(t *testing.T) {
	for _, n := range []int{4, 40} {
		ip, payload := datagram(src4, dst4)
		ip = withOptions(ip, n)
		d, err := Parse(ip)
		if err != nil || d.Options != n || !slices.Equal(d.Payload, payload) || d.ICRC() != ICRCUnchecked || !passed(t, ip) {
			t.Errorf("%d bytes of options: %+v, %v", n, d, err)
		}
	}
}

// A packet that was cut off keeps what there is of it; its headers must be whole.
func TestParseTruncated(t *testing.T) {
	for _, c := range []struct {
		ip      []byte
		headers int
	}{
		{first(datagram(src4, dst4)), 28},
		{withOptions(first(datagram(src4, dst4)), 8), 36},
		{first(datagram(src6, dst6)), 48},
	} {
		for n := range c.ip {
			d, err := Parse(c.ip[:n])
			switch {
			case n < c.headers && !errors.Is(err, ErrNotRoCE):
				t.Errorf("%d bytes of %d are read as %+v, %v", n, len(c.ip), d, err)
			case n >= c.headers && (err != nil || len(d.Payload) != n-c.headers || d.Missing != len(c.ip)-n || d.ICRC() != ICRCUnchecked):
				t.Errorf("%d bytes of %d are read as %+v, %v", n, len(c.ip), d, err)
			}
		}
	}
}

func first(ip, _ []byte) []byte { return ip }

// What is no RoCE v2 packet is refused, and passed by the filter only where it
// cannot know.
func TestParseRefused(t *testing.T) {
	ip4, _ := datagram(src4, dst4)
	ip6, _ := datagram(src6, dst6)
	change := func(ip []byte, at int, with ...byte) []byte {
		out := slices.Clone(ip)
		copy(out[at:], with)
		return out
	}
	for name, c := range map[string]struct {
		ip     []byte
		passes bool
	}{
		"version 5":              {change(ip4, 0, 0x55), false},
		"IPv4 header of 16":      {change(ip4, 0, 0x44), false},
		"IPv4 length of 16":      {change(ip4, 2, 0, 16), true},
		"more fragments":         {change(ip4, 6, 0x20, 0), false},
		"last fragment":          {change(ip4, 6, 0, 1), false},
		"TCP over IPv4":          {change(ip4, 9, 6), false},
		"other port over IPv4":   {change(ip4, 22, 0x12, 0xB6), false},
		"UDP length of 7":        {change(ip4, 24, 0, 7), true},
		"UDP longer than IPv4":   {change(ip4, 24, 0xFF, 0xFF), true},
		"TCP over IPv6":          {change(ip6, 6, 6), false},
		"extension header":       {change(ip6, 6, 0), false},
		"IPv6 length of 0":       {change(ip6, 4, 0, 0), true},
		"mapped IPv4 addresses":  {change(ip6, 8, append(make([]byte, 10), 0xFF, 0xFF)...), true},
		"other port over IPv6":   {change(ip6, 42, 0x12, 0xB8), false},
		"UDP longer than IPv6":   {change(ip6, 44, 0xFF, 0xFF), true},
		"source port is RoCE's":  {first(datagram("10.0.0.1:4791", "10.0.0.2:53")), false},
		"source port over IPv6":  {first(datagram("[fd00::1]:4791", "[fd00::2]:53")), false},
		"IPv4 options, no RoCE":  {withOptions(first(datagram(src4, "10.0.0.2:53")), 12), false},
		"options look like port": {change(withOptions(first(datagram(src4, "10.0.0.2:53")), 4), 22, 0x12, 0xB7), false},
	} {
		d, err := Parse(c.ip)
		if !errors.Is(err, ErrNotRoCE) {
			t.Errorf("%s is read as %+v, %v", name, d, err)
		}
		if passed(t, c.ip) != c.passes {
			t.Errorf("%s: the filter passes it: %v", name, !c.passes)
		}
	}
}

// FuzzParse: whatever comes, the parts are within the packet, what Parse takes
// the filter passes, and a valid ICRC survives a rewriting of the headers.
func FuzzParse(f *testing.F) {
	for _, ip := range [][]byte{
		first(datagram(src4, dst4)), first(datagram(src6, dst6)), withOptions(first(datagram(src4, dst4)), 8), {}, {0x45}, {0x60},
	} {
		f.Add(ip)
	}
	f.Fuzz(func(t *testing.T, ip []byte) {
		d, err := Parse(ip)
		if err != nil {
			if !errors.Is(err, ErrNotRoCE) {
				t.Fatal(err)
			}
			return
		}
		if !passed(t, ip) {
			t.Fatal("parsed, and not passed by the filter")
		}
		if n := d.Envelope.HeaderLen() + d.Options + len(d.Payload); n > len(ip) || d.Missing < 0 || d.Missing > 0 && n != len(ip) {
			t.Fatalf("%d bytes of %d: %+v", n, len(ip), d)
		}
		if d.ICRC() != ICRCValid {
			return
		}
		again, err := Parse(append(d.Envelope.AppendHeaders(nil, len(d.Payload)), d.Payload...))
		if err != nil || again.ICRC() != ICRCValid || again.Envelope != d.Envelope {
			t.Fatalf("written anew it is %+v, %v", again, err)
		}
	})
}
