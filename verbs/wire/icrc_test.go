package wire

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
)

// vector is a packet known byte for byte, with the headers around it.
type vector struct {
	name   string
	env    Envelope
	packet Packet
	ip     string // IP and UDP headers; the UDP checksum counts as 0
	ib     string // BTH to ICRC
}

func between(src, dst string) Envelope {
	return Envelope{Src: netip.MustParseAddrPort(src), Dst: netip.MustParseAddrPort(dst)}
}

func sendOnly() Packet {
	return Packet{
		BTH:     BTH{Opcode: OpSendOnly, MigReq: true, PadCount: 3, PKey: DefaultPKey, DestQP: 0x12, AckReq: true, PSN: 0xABCD},
		Payload: []byte("{{{{{{{{{{{{{"),
	}
}

// vectors A to D were computed by an independent implementation; rxe was
// captured from the driver of Linux 6.1, whose IP identification is not 0.
func vectors() []vector {
	const payload = "7b7b7b7b7b7b7b7b7b7b7b7b7b" + "000000"
	forth := between("192.0.2.1:49443", "192.0.2.2:4791")
	back := between("192.0.2.2:49443", "192.0.2.1:4791")
	rxe := between("10.0.0.1:54266", "10.0.0.2:4791")
	rxe.ID = 0xE0B4
	return []vector{
		{
			"A SEND_ONLY", forth, sendOnly(),
			"4500003c0000400040110000c0000201c0000202" + "c12312b700280000",
			"0470ffff000000128000abcd" + payload + "fb64be5f",
		},
		{
			"B ACK", back,
			Packet{
				BTH:  BTH{Opcode: OpAck, MigReq: true, PKey: DefaultPKey, DestQP: 0x11, PSN: 0xABCD},
				AETH: AETH{Syndrome: ACKNoCredits, MSN: 1},
			},
			"450000300000400040110000c0000202c0000201" + "c12312b7001c0000",
			"1140ffff000000110000abcd" + "1f000001" + "d0948a6d",
		},
		{
			"C READ REQUEST", forth,
			Packet{
				BTH:  BTH{Opcode: OpReadRequest, MigReq: true, PKey: DefaultPKey, DestQP: 0x12, AckReq: true, PSN: 0xFFFFFF},
				RETH: RETH{VA: 0x7F0000001000, RKey: 0x01234567, DMALen: 4096},
			},
			"4500003c0000400040110000c0000201c0000202" + "c12312b700280000",
			"0c40ffff0000001280ffffff" + "00007f00000010000123456700001000" + "68a71ce9",
		},
		{
			"D SEND_ONLY over IPv6", between("[2001:db8::1]:49443", "[2001:db8::2]:4791"), sendOnly(),
			"600000000028114020010db800000000000000000000000120010db8000000000000000000000002" + "c12312b700280000",
			"0470ffff000000128000abcd" + payload + "19f2c3fc",
		},
		{
			"rxe SEND_FIRST", rxe,
			Packet{
				BTH:     BTH{Opcode: OpSendFirst, PKey: DefaultPKey, DestQP: 0xABC123, PSN: 0x1F2882},
				Payload: bytes.Repeat([]byte{0x7B}, 1024),
			},
			"4500042ce0b4400040110000" + "0a000001" + "0a000002" + "d3fa12b704180000",
			"0000ffff00abc123001f2882" + strings.Repeat("7b", 1024) + "5294c121",
		},
	}
}

func TestVectors(t *testing.T) {
	for _, v := range vectors() {
		t.Run(v.name, func(t *testing.T) {
			want := unhex(t, v.ib)
			p := v.packet
			got := v.env.Seal([]byte{0xAA}, &p)
			if !bytes.Equal(got[1:], want) || got[0] != 0xAA {
				t.Errorf("Seal: %x, want %x", got[1:], want)
			}
			back, err := Parse(want)
			if err != nil || !reflect.DeepEqual(back, withPayload(p)) {
				t.Errorf("Parse: %+v, %v; want %+v", back, err, p)
			}
			if !v.env.Verify(want) {
				t.Error("Verify refuses the vector")
			}
			headers := v.env.AppendHeaders(nil, len(want))
			if v.env.Is4() {
				if checksum(headers[:ipv4Len]) != 0 {
					t.Errorf("IPv4 header checksum of %x is wrong", headers)
				}
				headers[10], headers[11] = 0, 0 // the vectors leave it out
			}
			if !bytes.Equal(headers, unhex(t, v.ip)) || len(headers) != v.env.HeaderLen() {
				t.Errorf("headers %x, want %s", headers, v.ip)
			}
		})
	}
}

// withPayload gives p the empty payload Parse reports instead of nil.
func withPayload(p Packet) Packet {
	if p.Payload == nil {
		p.Payload = []byte{}
	}
	return p
}

// TestVectorCNP is a congestion notification of a ConnectX-4 Lx, a published
// capture: another opcode, and bits in every masked place.
func TestVectorCNP(t *testing.T) {
	e := between("10.0.17.1:0", "10.0.18.1:4791")
	e.ID, e.TrafficClass = 0x718C, 0xC2
	b := unhex(t, "8100ffff4000011800000000", "00000000000000000000000000000000", "82fd002a")
	if !e.Verify(b) {
		t.Error("Verify refuses the capture")
	}
	if id, ok := e.SolveID(b); id != 0x718C || !ok {
		t.Errorf("SolveID: %#04x, %v; want 0x718c", id, ok)
	}
	want := unhex(t, "45c2003c718c400040119161", "0a001101", "0a001201", "000012b700280000")
	if got := e.AppendHeaders(nil, len(b)); !bytes.Equal(got, want) {
		t.Errorf("headers %x, want %x", got, want)
	}
}

func TestHeadersIPv6(t *testing.T) {
	e := between("[2001:db8::1]:49443", "[2001:db8::2]:4791")
	e.TrafficClass, e.HopLimit, e.FlowLabel = 0xAB, 7, 0xFFF12345
	b := e.AppendHeaders([]byte{0xEE}, 16)
	if want := unhex(t, "ee", "6ab12345", "00181107"); !bytes.Equal(b[:len(want)], want) || len(b) != 1+e.HeaderLen() {
		t.Errorf("got %x, want %x...", b, want)
	}
}

// slowICRC is the definition word for word, from a packet with its IP header.
func slowICRC(ip, covered []byte) uint32 {
	b := append(bytes.Repeat([]byte{0xFF}, 8), ip...)
	b = append(b, covered...)
	masked := []int{8 + 1, 8 + 8, 8 + 10, 8 + 11, 8 + 26, 8 + 27, 8 + 28 + 4}
	if ip[0]>>4 == 6 {
		b[8] |= 0x0F
		masked = []int{8 + 1, 8 + 2, 8 + 3, 8 + 7, 8 + 46, 8 + 47, 8 + 48 + 4}
	}
	for _, i := range masked {
		b[i] = 0xFF
	}
	return crc32.ChecksumIEEE(b)
}

// randomEnvelope returns an envelope with random bits in every field.
func randomEnvelope(r *rand.Rand, v4 bool) Envelope {
	addr := func() netip.AddrPort {
		var a [16]byte
		for i := range a {
			a[i] = byte(r.Uint32())
		}
		ip := netip.AddrFrom16(a)
		if v4 {
			ip = netip.AddrFrom4([4]byte(a[:4]))
		}
		return netip.AddrPortFrom(ip, uint16(r.Uint32()))
	}
	return Envelope{
		Src: addr(), Dst: addr(), ID: uint16(r.Uint32()), MayFragment: r.IntN(2) == 0,
		TrafficClass: uint8(r.Uint32()), HopLimit: uint8(r.Uint32()), FlowLabel: r.Uint32(),
	}
}

func TestICRCAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := BTHLen; n < 300; n++ {
		b := make([]byte, n+ICRCLen)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		e := randomEnvelope(r, n%2 == 0)
		want := slowICRC(e.AppendHeaders(nil, len(b)), b[:n])
		if got := e.ICRC(b[:n]); got != ICRC(want) {
			t.Errorf("%d bytes, %+v: %#x, want %#x", n, e, uint32(got), want)
		}
	}
}

func TestICRCMappedIPv4(t *testing.T) {
	plain := between("192.0.2.1:49443", "192.0.2.2:4791")
	mapped := between("[::ffff:192.0.2.1]:49443", "[::ffff:192.0.2.2]:4791")
	b := unhex(t, "0470ffff000000128000abcd")
	if plain.ICRC(b) != mapped.ICRC(b) || !mapped.Is4() {
		t.Error("an IPv4-mapped address is not treated as IPv4")
	}
}

// TestICRCCoverage flips every bit of packet and headers: the ICRC must change
// with all but the masked ones.
func TestICRCCoverage(t *testing.T) {
	v := vectors()[0]
	b := unhex(t, v.ib)
	for bit := range 8 * len(b) {
		b[bit/8] ^= 1 << (bit % 8)
		if got, want := v.env.Verify(b), bit/8 == bthResv6; got != want {
			t.Errorf("bit %d of byte %d flipped: Verify %v, want %v", bit%8, bit/8, got, want)
		}
		b[bit/8] ^= 1 << (bit % 8)
	}
	routed := v.env
	routed.TrafficClass, routed.HopLimit = 0xFF, 3
	if !routed.Verify(b) {
		t.Error("TOS and TTL are covered, want masked")
	}
	fragmented := v.env
	fragmented.MayFragment = true
	if fragmented.Verify(b) {
		t.Error("DF is masked, want covered")
	}
}

func TestVerifyShort(t *testing.T) {
	for _, e := range []Envelope{{}, between("192.0.2.1:1", "192.0.2.2:2"), between("192.0.2.1:1", "[::1]:2")} {
		for n := range BTHLen + ICRCLen {
			b := make([]byte, n)
			_ = e.ICRC(b)
			if e.Verify(b) {
				t.Errorf("Verify accepts %d bytes", n)
			}
			if id, ok := e.SolveID(b); ok {
				t.Errorf("SolveID of %d bytes: %#x", n, id)
			}
		}
	}
}

// A Stream remembers what packets have in common. Whatever changes from one to
// the next, it says what an Envelope says.
func TestStream(t *testing.T) {
	var s Stream
	r := rand.New(rand.NewPCG(1, 2))
	e := between("192.0.2.1:49443", "192.0.2.2:4791")
	b := make([]byte, 300)
	n := 100
	for range 20_000 {
		switch r.IntN(6) {
		case 0:
			n = r.IntN(len(b))
		case 1:
			e.Src = netip.AddrPortFrom(e.Src.Addr(), uint16(r.IntN(3)))
		case 2:
			e.ID = uint16(r.IntN(3))
		case 3:
			b[r.IntN(BTHLen)] = byte(r.Uint32()) // opcode, reserved bits, PSN
		case 4:
			b[r.IntN(len(b))] = byte(r.Uint32())
		}
		if got, want := s.icrc(&e, b[:n]), e.ICRC(b[:n]); got != want {
			t.Fatalf("%x in %+v: %v, want %v", b[:n], e, got, want)
		}
	}
}
