package softroce_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

// rounds makes n turns of a ping-pong.
func rounds(n int) []verbs.Turn {
	t := make([]verbs.Turn, n)
	for i := range t {
		t[i] = verbs.Turn{Wait: 1, Recvs: 1, Sends: 1}
	}
	return t
}

// player is one end of a ping-pong with prepared turns: unsignaled sends, and
// a receive posted ahead.
type player struct {
	n     *verbstest.Node
	batch *verbs.Batch
	res   verbs.TurnResult
}

func newPlayer(b *testing.B, n *verbstest.Node, size int) *player {
	b.Helper()
	send := verbs.SendWR{SGList: n.SGE(0, size), Opcode: verbs.WRSend}
	recv := verbs.RecvWR{SGList: n.SGE(size, size)}
	batch, err := n.QP.NewBatch(n.RecvCQ, false, send, recv)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { batch.Close() })
	for range 4 {
		n.Recv(0, size, size)
	}
	return &player{n: n, batch: batch}
}

func (p *player) run(turns []verbs.Turn) error {
	p.res.At = make([]int64, len(turns))
	p.res.WC = make([]verbs.WC, len(turns))
	return p.batch.Run(context.Background(), turns, &p.res)
}

// pingPong times b.N round trips of two nodes, each with its own goroutine.
func pingPong(b *testing.B, x, y *verbstest.Node, size int) {
	b.Helper()
	px, py := newPlayer(b, x, size), newPlayer(b, y, size)
	turns := rounds(b.N)
	done := make(chan error, 1)
	b.ReportAllocs()
	b.ResetTimer()
	go func() { done <- py.run(turns) }()
	x.Post(verbs.SendWR{SGList: x.SGE(0, size), Opcode: verbs.WRSend})
	if err := px.run(turns); err != nil {
		b.Fatal(err)
	}
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

func BenchmarkRoundTripMemory(b *testing.B) {
	for _, size := range []int{64, 4096} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			x, y := verbstest.Pair(b, softroce.New(softroce.Options{}), verbstest.Config{})
			pingPong(b, x, y, size)
		})
	}
}

// BenchmarkRoundTripUDP measures beside each size a plain UDP ping-pong on
// the same addresses.
func BenchmarkRoundTripUDP(b *testing.B) {
	for _, size := range []int{64, 4096} {
		b.Run(fmt.Sprintf("bare/%d", size), func(b *testing.B) { bare(b, size) })
		b.Run(fmt.Sprintf("soft0/%d", size), func(b *testing.B) {
			mtu := func(a string) verbs.Driver {
				return softroce.New(softroce.Options{Addr: netip.MustParseAddr(a), MTU: verbs.MTU4096})
			}
			x, y := verbstest.PairAcross(b, mtu("127.0.0.1"), mtu("127.0.0.2"), verbstest.Config{})
			pingPong(b, x, y, size)
		})
	}
}

func bare(b *testing.B, size int) {
	open := func(a string) *net.UDPConn {
		c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(a+":4791")))
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	x, y := open("127.0.0.1"), open("127.0.0.2")
	defer x.Close()
	defer y.Close()
	to := netip.MustParseAddrPort("127.0.0.2:4791")
	go func() {
		buf := make([]byte, 8192)
		for {
			n, from, err := y.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			y.WriteToUDPAddrPort(buf[:n], from)
		}
	}()
	msg, buf := make([]byte, size), make([]byte, 8192)
	b.ReportAllocs()
	for b.Loop() {
		x.WriteToUDPAddrPort(msg, to)
		if _, _, err := x.ReadFromUDPAddrPort(buf); err != nil {
			b.Fatal(err)
		}
	}
}
