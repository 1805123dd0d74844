package softroce_test

import (
	"sync"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/verbstest"
)

// TestCrowd has several programs poll queue pairs of one device, which has one
// socket: who finds the socket taken waits for what the others bring.
func TestCrowd(t *testing.T) {
	const programs, messages = 6, 200
	da, db := onAddr("127.0.0.1"), onAddr("127.0.0.2")
	ca, cb := verbstest.Open(t, da, ""), verbstest.Open(t, db, "")
	var crowd sync.WaitGroup
	for i := range programs {
		cfg := verbstest.Config{Channel: i%2 == 1}
		a, b := verbstest.NewNode(t, ca, cfg), verbstest.NewNode(t, cb, cfg)
		verbstest.Join(a, b)
		crowd.Go(func() { converse(t, a, messages) })
		crowd.Go(func() { converse(t, b, messages) })
	}
	crowd.Wait()
}

// converse sends a message, takes one, and so on.
func converse(t *testing.T, n *verbstest.Node, messages int) {
	t.Helper()
	for i := range uint64(4) {
		if err := n.QP.PostRecv(&verbs.RecvWR{WRID: i, SGList: n.SGE(0, 64)}); err != nil {
			t.Error(err)
		}
	}
	wc := make([]verbs.WC, 1)
	for range messages {
		err := n.QP.PostSend(&verbs.SendWR{SGList: n.SGE(0, 64), Opcode: verbs.WRSend})
		for got := 0; got == 0 && err == nil; {
			got, err = n.RecvCQ.Poll(wc)
		}
		if err == nil {
			err = wc[0].Err()
		}
		if err == nil {
			err = n.QP.PostRecv(&verbs.RecvWR{SGList: n.SGE(0, 64)})
		}
		if err != nil {
			t.Error(err)
			return
		}
	}
}
