package softroce_test

import (
	"context"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

// stock plays one end of ibv_rc_pingpong: signaled sends, one completion queue
// for both directions, and no send before the last one has completed.
type stock struct {
	qp    *verbs.QP
	cq    *verbs.CQ
	batch *verbs.Batch
}

// newStock makes an end. The nodes of verbstest have two completion queues, so
// it makes a queue pair of its own on the same domain.
func newStock(tb testing.TB, n *verbstest.Node, events bool, size int) *stock {
	tb.Helper()
	s := &stock{}
	var err error
	if s.cq, err = n.Ctx.CreateCQ(64, n.Ch); err != nil {
		tb.Fatal(err)
	}
	s.qp, err = n.PD.CreateQP(verbs.QPConfig{
		SendCQ: s.cq, RecvCQ: s.cq, Type: verbs.QPTRC,
		Cap: verbs.QPCap{MaxSendWR: 1, MaxRecvWR: 32, MaxSendSGE: 1, MaxRecvSGE: 1},
	})
	if err != nil {
		tb.Fatal(err)
	}
	n.QP.Close()
	n.QP = s.qp
	s.batch, err = s.qp.NewBatch(s.cq, events,
		verbs.SendWR{WRID: 2, SGList: n.SGE(0, size), Opcode: verbs.WRSend, Flags: verbs.SendSignaled},
		verbs.RecvWR{WRID: 1, SGList: n.SGE(0, size)})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.batch.Close() })
	if events {
		if err := s.cq.ReqNotify(false); err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

// play runs n round trips: every turn waits for the message of the peer and
// for the completion of the last send, in whichever order they come.
func (s *stock) play(n int, first bool) error {
	turns := make([]verbs.Turn, 0, n+2)
	turns = append(turns, verbs.Turn{Recvs: 16})
	if first {
		turns = append(turns, verbs.Turn{Sends: 1})
	} else {
		turns = append(turns, verbs.Turn{Wait: 1, Recvs: 1, Sends: 1})
	}
	for range n - 1 {
		turns = append(turns, verbs.Turn{Wait: 2, Recvs: 1, Sends: 1})
	}
	last := uint32(1)
	if first {
		last = 2
	}
	turns = append(turns, verbs.Turn{Wait: last})
	res := verbs.TurnResult{At: make([]int64, len(turns)), WC: make([]verbs.WC, 2*len(turns))}
	return s.batch.Run(context.Background(), turns, &res)
}

func playStock(tb testing.TB, a, b *verbstest.Node, events bool, size, n int) {
	tb.Helper()
	x, y := newStock(tb, a, events, size), newStock(tb, b, events, size)
	verbstest.Join(a, b)
	done := make(chan error, 1)
	go func() { done <- y.play(n, false) }()
	if err := x.play(n, true); err != nil {
		tb.Fatal(err)
	}
	if err := <-done; err != nil {
		tb.Fatal(err)
	}
}

// TestStockPingPong: polling and with events, in memory and over UDP.
func TestStockPingPong(t *testing.T) {
	for _, events := range []bool{false, true} {
		name := map[bool]string{false: "polling", true: "events"}[events]
		cfg := verbstest.Config{Channel: events, Size: 1 << 20}
		t.Run("memory, "+name, func(t *testing.T) {
			ctx := verbstest.Open(t, softroce.New(softroce.Options{}), "")
			a, b := verbstest.NewNode(t, ctx, cfg), verbstest.NewNode(t, ctx, cfg)
			playStock(t, a, b, events, 4096, 1000)
		})
		for _, size := range []int{1, 4096, 1 << 20} {
			t.Run("udp, "+name, func(t *testing.T) {
				a := verbstest.NewNode(t, verbstest.Open(t, onAddr("127.0.0.1"), ""), cfg)
				b := verbstest.NewNode(t, verbstest.Open(t, onAddr("127.0.0.2"), ""), cfg)
				playStock(t, a, b, events, size, 5+200_000/(size+1000))
			})
		}
	}
}

// BenchmarkStock is what ibv_rc_pingpong measures: every send is signaled and
// waited for, so no acknowledgement can be saved.
func BenchmarkStock(b *testing.B) {
	for _, events := range []bool{false, true} {
		name := map[bool]string{false: "polling", true: "events"}[events]
		cfg := verbstest.Config{Channel: events}
		b.Run("memory/"+name, func(b *testing.B) {
			ctx := verbstest.Open(b, softroce.New(softroce.Options{}), "")
			x, y := verbstest.NewNode(b, ctx, cfg), verbstest.NewNode(b, ctx, cfg)
			playStock(b, x, y, events, 64, b.N+1)
		})
		b.Run("udp/"+name, func(b *testing.B) {
			x := verbstest.NewNode(b, verbstest.Open(b, onAddr("127.0.0.1"), ""), cfg)
			y := verbstest.NewNode(b, verbstest.Open(b, onAddr("127.0.0.2"), ""), cfg)
			playStock(b, x, y, events, 64, b.N+1)
		})
	}
}
