package softroce_test

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
	"ibtour/verbs/wire"
)

// captured is a packet read back from a capture.
type captured struct {
	wire.Packet
	src, dst string
}

// readCapture parses a capture with gopacket, which shares no code with us.
func readCapture(t *testing.T, r io.Reader) []captured {
	t.Helper()
	ng, err := pcapgo.NewNgReader(r, pcapgo.DefaultNgReaderOptions)
	if err != nil {
		t.Fatal(err)
	}
	var out []captured
	for {
		data, _, err := ng.ReadPacketData()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, dissect(t, data))
	}
}

func dissect(t *testing.T, data []byte) captured {
	t.Helper()
	p := gopacket.NewPacket(data, layers.LayerTypeEthernet, gopacket.Default)
	if e := p.ErrorLayer(); e != nil {
		t.Fatal(e.Error())
	}
	udp, ok := p.TransportLayer().(*layers.UDP)
	if !ok || udp.DstPort != wire.Port || int(udp.Length) != 8+len(udp.Payload) {
		t.Fatalf("no RoCE v2 datagram: %v", p)
	}
	pkt, err := wire.Parse(udp.Payload)
	if err != nil {
		t.Fatal(err)
	}
	flow := p.NetworkLayer().NetworkFlow()
	return captured{Packet: pkt, src: flow.Src().String(), dst: flow.Dst().String()}
}

func (c captured) is(t *testing.T, op wire.Opcode, psn wire.PSN, dest verbs.QPN) {
	t.Helper()
	if c.Opcode != op || c.PSN != psn || c.DestQP != dest {
		t.Errorf("%v PSN %v to %v, want %v PSN %v to %v", c.Opcode, c.PSN, c.DestQP, op, psn, dest)
	}
}

// TestCaptureInMemory: each packet is there once.
func TestCaptureInMemory(t *testing.T) {
	for _, addr := range []string{"127.0.0.1", "::1"} {
		var file bytes.Buffer
		drv := softroce.New(softroce.Options{Addr: netip.MustParseAddr(addr), Capture: &file})
		a, b := verbstest.Pair(t, drv, verbstest.Config{})
		size := a.MTU.Bytes() + 1
		b.Recv(1, 0, size)
		a.Send(2, 0, size)
		a.Want(a.SendCQ, 2, verbs.WCSuccess)
		got := readCapture(t, bytes.NewReader(file.Bytes()))
		if len(got) != 3 {
			t.Fatalf("%d packets, want 3", len(got))
		}
		got[0].is(t, wire.OpSendFirst, a.PSN, b.QP.Num())
		got[1].is(t, wire.OpSendLast, a.PSN.Add(1), b.QP.Num())
		got[2].is(t, wire.OpAck, a.PSN.Add(1), a.QP.Num())
		if got[0].src != addr || got[0].dst != addr {
			t.Errorf("%s to %s", got[0].src, got[0].dst)
		}
	}
}

// TestCaptureOverUDP: what one end sent and what it received.
func TestCaptureOverUDP(t *testing.T) {
	var file bytes.Buffer
	drv := softroce.New(softroce.Options{Addr: netip.MustParseAddr("127.0.0.1"), Capture: &file})
	a, b := verbstest.PairAcross(t, drv, onAddr("127.0.0.2"), verbstest.Config{})
	b.Recv(1, 0, 8)
	a.Send(2, 0, 8)
	a.Want(a.SendCQ, 2, verbs.WCSuccess)
	got := readCapture(t, &file)
	if len(got) != 2 {
		t.Fatalf("%d packets, want 2", len(got))
	}
	got[0].is(t, wire.OpSendOnly, a.PSN, b.QP.Num())
	got[1].is(t, wire.OpAck, a.PSN, a.QP.Num())
	if got[1].src != "127.0.0.2" || got[1].dst != "127.0.0.1" {
		t.Errorf("%s to %s", got[1].src, got[1].dst)
	}
}
