package softroce_test

import (
	"bytes"
	"net/netip"
	"runtime"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
	"ibtour/verbs/wire"
)

// onAddr makes a device on one address of the loopback interface.
func onAddr(addr string) verbs.Driver {
	return softroce.New(softroce.Options{Addr: netip.MustParseAddr(addr)})
}

func TestPingPongOverUDP(t *testing.T) {
	a, b := verbstest.PairAcross(t, onAddr("127.0.0.1"), onAddr("127.0.0.2"), verbstest.Config{})
	for i := range 50 {
		size := i * 997 % (32 << 10)
		for j := range size {
			a.Buf.Bytes()[j] = byte(i + j)
		}
		b.Recv(uint64(i), 0, 64<<10)
		a.Send(uint64(i), 0, size)
		b.Want(b.RecvCQ, uint64(i), verbs.WCSuccess)
		a.Want(a.SendCQ, uint64(i), verbs.WCSuccess)
		if !bytes.Equal(a.Buf.Bytes()[:size], b.Buf.Bytes()[:size]) {
			t.Fatalf("message %d differs", i)
		}
	}
}

// The ACK of a message leaves although the program polls no more, and although
// the goroutine of the link had no processor until then: a peer that waits for
// 8.6 s before it sends again has no reason to.
func TestAckOfAProgramThatStops(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	patient := verbstest.Config{Attr: verbs.QPAttr{Timeout: 21}, Mask: verbs.AttrTimeout}
	var file bytes.Buffer
	drv := softroce.New(softroce.Options{Addr: netip.MustParseAddr("127.0.0.1"), Capture: &file})
	x, y := verbstest.PairAcross(t, drv, onAddr("127.0.0.2"), patient)
	y.Recv(1, 0, 64)
	x.Send(1, 0, 64)
	y.Want(y.RecvCQ, 1, verbs.WCSuccess)
	x.Want(x.SendCQ, 1, verbs.WCSuccess)
	got := readCapture(t, &file)
	if len(got) != 2 {
		t.Fatalf("%d packets, want the message and its ACK", len(got))
	}
	got[0].is(t, wire.OpSendOnly, x.PSN, y.QP.Num())
	got[1].is(t, wire.OpAck, x.PSN, x.QP.Num())
}
