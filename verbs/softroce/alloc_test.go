package softroce_test

import (
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
	"ibtour/verbs/verbstest"
)

// TestNoGarbage: a message in steady state allocates nothing, at either end,
// in memory and over UDP.
func TestNoGarbage(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		a, b := verbstest.Pair(t, softroce.New(softroce.Options{}), verbstest.Config{})
		noGarbage(t, a, b)
	})
	t.Run("traced", func(t *testing.T) {
		packets := 0
		count := func(p trace.Packet) { packets += min(len(p.Data), 1) }
		a, b := verbstest.Pair(t, softroce.New(softroce.Options{Trace: count}), verbstest.Config{})
		noGarbage(t, a, b)
		if packets < 500*3 {
			t.Errorf("%d packets were traced", packets)
		}
	})
	t.Run("udp", func(t *testing.T) {
		a, b := verbstest.PairAcross(t, onAddr("127.0.0.1"), onAddr("127.0.0.2"), verbstest.Config{})
		noGarbage(t, a, b)
	})
}

func noGarbage(t *testing.T, a, b *verbstest.Node) {
	t.Helper()
	const size = 3000 // several packets
	send := verbs.SendWR{SGList: a.SGE(0, size), Opcode: verbs.WRSend}
	recv := verbs.RecvWR{SGList: b.SGE(0, size)}
	wc := make([]verbs.WC, 1)
	message := func() {
		if err := b.QP.PostRecv(&recv); err != nil {
			t.Fatal(err)
		}
		if err := a.QP.PostSend(&send); err != nil {
			t.Fatal(err)
		}
		for n := 0; n == 0; {
			var err error
			if n, err = b.RecvCQ.Poll(wc); err != nil || n > 0 && wc[0].Status != verbs.WCSuccess {
				t.Fatal(err, wc[0].Status)
			}
		}
	}
	if allocs := testing.AllocsPerRun(500, message); allocs != 0 {
		t.Errorf("%.1f allocations per message", allocs)
	}
}
