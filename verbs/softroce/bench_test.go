package softroce_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

// rounds makes n turns of a ping-pong. Each waits for so many completions.
func rounds(n int, wait uint32) []verbs.Turn {
	t := make([]verbs.Turn, n)
	for i := range t {
		t[i] = verbs.Turn{Wait: wait, Recvs: 1, Sends: 1}
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
	turns := rounds(b.N, 1)
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
			x, y := verbstest.Pair(b, softroce.New(softroce.Options{MTU: verbs.MTU4096}), verbstest.Config{})
			pingPong(b, x, y, size)
		})
	}
}

// way is one direction of a pair, with its work requests prepared.
type way struct {
	from, to *verbstest.Node
	send     verbs.SendWR
	recv     verbs.RecvWR
	wc       []verbs.WC
}

func newWay(from, to *verbstest.Node, size int) *way {
	return &way{
		from: from, to: to, wc: make([]verbs.WC, 1),
		send: verbs.SendWR{SGList: from.SGE(0, size), Opcode: verbs.WRSend},
		recv: verbs.RecvWR{SGList: to.SGE(size, size)},
	}
}

// run sends a message, takes it and posts the next receive. (testing's Helper
// would cost more than all that.)
func (w *way) run() error {
	err := w.from.QP.PostSend(&w.send)
	for n := 0; n == 0 && err == nil; {
		n, err = w.to.RecvCQ.Poll(w.wc)
	}
	if err == nil {
		err = w.to.QP.PostRecv(&w.recv)
	}
	return err
}

// round goes round the pairs of a device, one round trip each time.
type round struct {
	ways []*way
	next int
}

// newRound makes n pairs, whose ends are on x and y.
func newRound(b *testing.B, x, y verbs.Driver, n int) *round {
	b.Helper()
	const size = 64
	// Over UDP one ACK may cover 32 messages, which stay in the send queue.
	cfg := verbstest.Config{Size: 4096, CQE: 8, Cap: verbs.QPCap{MaxSendWR: 64, MaxRecvWR: 4}}
	here, there := verbstest.Open(b, x, ""), verbstest.Open(b, y, "")
	r := &round{}
	for range n {
		p, q := verbstest.NewNode(b, here, cfg), verbstest.NewNode(b, there, cfg)
		verbstest.Join(p, q)
		for _, n := range []*verbstest.Node{p, q} {
			n.Recv(0, size, size)
			n.Recv(0, size, size)
		}
		r.ways = append(r.ways, newWay(p, q, size), newWay(q, p, size))
	}
	return r
}

// trip plays both ends of the next pair in turn on one goroutine: no time is
// spent on waking anybody up.
func (r *round) trip() error {
	err := r.ways[r.next].run()
	if err == nil {
		err = r.ways[r.next+1].run()
	}
	if r.next += 2; r.next == len(r.ways) {
		r.next = 0
	}
	return err
}

// BenchmarkQueuePairs goes round more and more queue pairs: the cost of a round
// trip should not depend on their number.
func BenchmarkQueuePairs(b *testing.B) {
	for _, n := range []int{1, 4, 16, 64, 256} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := softroce.New(softroce.Options{})
			r := newRound(b, d, d, n)
			b.ReportAllocs()
			for b.Loop() {
				if err := r.trip(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRatioQueuePairs changes between one pair and more of them every few
// milliseconds, and reports the median of the ratios.
func BenchmarkRatioQueuePairs(b *testing.B) {
	for _, n := range []int{16, 64, 256} {
		b.Run(fmt.Sprintf("memory/%d", n), func(b *testing.B) {
			one, many := softroce.New(softroce.Options{}), softroce.New(softroce.Options{})
			alternate(b, newRound(b, many, many, n).trips, newRound(b, one, one, 1).trips, "x-one")
		})
		b.Run(fmt.Sprintf("udp/%d", n), func(b *testing.B) {
			one := newRound(b, wideOn("127.0.0.1"), wideOn("127.0.0.2"), 1)
			many := newRound(b, wideOn("127.0.0.3"), wideOn("127.0.0.4"), n)
			alternate(b, many.trips, one.trips, "x-one")
		})
	}
}

// trips makes a stretch of round trips, and at least 32 of each pair, so that
// a stretch is no new beginning for it.
func (r *round) trips(b *testing.B) (n int) {
	b.Helper()
	n = max(stretch, 16*len(r.ways))
	for range n {
		if err := r.trip(); err != nil {
			b.Fatal(err)
		}
	}
	return n
}

// BenchmarkBandwidth streams messages of 64 KiB, some of them under way at a
// time, and waits for the last acknowledgement.
func BenchmarkBandwidth(b *testing.B) {
	b.Run("memory", func(b *testing.B) {
		x, y := verbstest.Pair(b, softroce.New(softroce.Options{MTU: verbs.MTU4096}), verbstest.Config{Size: 128 << 10})
		stream(b, x, y)
	})
	b.Run("udp", func(b *testing.B) {
		x, y := verbstest.PairAcross(b, wideOn("127.0.0.1"), wideOn("127.0.0.2"), verbstest.Config{Size: 128 << 10})
		stream(b, x, y)
	})
}

func stream(b *testing.B, x, y *verbstest.Node) {
	b.Helper()
	const size, depth = 64 << 10, 4
	b.SetBytes(size)
	b.ReportAllocs()
	send := verbs.SendWR{
		SGList: x.SGE(0, size), Opcode: verbs.WRRDMAWrite, Flags: verbs.SendSignaled,
		RemoteAddr: y.Buf.Addr(), RKey: y.MR.RKey(),
	}
	var wc [depth]verbs.WC
	flying := 0
	for b.Loop() {
		for flying == depth {
			n, err := x.SendCQ.Poll(wc[:])
			if err != nil || n > 0 && wc[0].Status != verbs.WCSuccess {
				b.Fatal(err, wc[0].Status)
			}
			flying -= n
		}
		if err := x.QP.PostSend(&send); err != nil {
			b.Fatal(err)
		}
		flying++
	}
}

// wideOn makes a device with the largest MTU, as the loopback interface allows.
func wideOn(addr string) verbs.Driver {
	return softroce.New(softroce.Options{Addr: netip.MustParseAddr(addr), MTU: verbs.MTU4096})
}

// BenchmarkRoundTripUDP measures beside each size a plain UDP ping-pong on
// the same addresses.
func BenchmarkRoundTripUDP(b *testing.B) {
	for _, size := range []int{64, 4096} {
		b.Run(fmt.Sprintf("bare/%d", size), func(b *testing.B) { bare(b, size) })
		b.Run(fmt.Sprintf("soft0/%d", size), func(b *testing.B) {
			x, y := verbstest.PairAcross(b, wideOn("127.0.0.1"), wideOn("127.0.0.2"), verbstest.Config{})
			pingPong(b, x, y, size)
		})
	}
}

func bare(b *testing.B, size int) {
	b.Helper()
	trip := newBare(b, "127.0.0.1", "127.0.0.2", size)
	b.ReportAllocs()
	for b.Loop() {
		trip()
	}
}

// newBare returns a function that makes a round trip of plain datagrams.
func newBare(b *testing.B, addr, peer string, size int) (trip func()) {
	b.Helper()
	open := func(a string) *net.UDPConn {
		c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(a+":4791")))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { c.Close() })
		return c
	}
	x, y := open(addr), open(peer)
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
	to := netip.MustParseAddrPort(peer + ":4791")
	msg, buf := make([]byte, size), make([]byte, 8192)
	return func() {
		x.WriteToUDPAddrPort(msg, to)
		if _, _, err := x.ReadFromUDPAddrPort(buf); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRatioUDP changes between soft0 and plain datagrams every few
// milliseconds, so that what else the machine does meets both, and reports the
// median of the ratios.
func BenchmarkRatioUDP(b *testing.B) {
	for _, size := range []int{64, 4096} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			x, y := verbstest.PairAcross(b, wideOn("127.0.0.1"), wideOn("127.0.0.2"), verbstest.Config{})
			trip := newBare(b, "127.0.0.3", "127.0.0.4", size)
			alternate(b, newRally(b, x, y, size), func(*testing.B) int {
				for range stretch {
					trip()
				}
				return stretch
			}, "x-bare")
		})
	}
}

// alternate times stretches of round trips of both kinds in turn, and reports
// the median of their ratios in a unit. A stretch returns how many it made.
func alternate(b *testing.B, this, base func(*testing.B) int, unit string) {
	b.Helper()
	var times, bases, ratios []float64
	timed := func(trips func(*testing.B) int) float64 {
		start := time.Now()
		n := trips(b)
		return float64(time.Since(start)) / float64(n)
	}
	for b.Loop() {
		p := timed(base)
		t := timed(this)
		times, bases, ratios = append(times, t), append(bases, p), append(ratios, t/p)
	}
	b.ReportMetric(median(times), "ns/trip")
	b.ReportMetric(median(bases), "base-ns/trip")
	b.ReportMetric(median(ratios), unit)
}

const stretch = 500 // round trips

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// newRally returns a function that makes a stretch of round trips on soft0.
func newRally(b *testing.B, x, y *verbstest.Node, size int) func(*testing.B) int {
	b.Helper()
	px, py := newPlayer(b, x, size), newPlayer(b, y, size)
	there, back := rounds(stretch, 1), rounds(stretch, 1)
	there[stretch-1].Sends = 0
	return func(b *testing.B) int {
		b.Helper()
		done := make(chan error, 1)
		go func() { done <- py.run(back) }()
		x.Post(verbs.SendWR{SGList: x.SGE(0, size), Opcode: verbs.WRSend})
		if err := px.run(there); err != nil {
			b.Fatal(err)
		}
		if err := <-done; err != nil {
			b.Fatal(err)
		}
		return stretch
	}
}
