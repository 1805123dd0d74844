package softroce_test

import (
	"bytes"
	"net/netip"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
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
