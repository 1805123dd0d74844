package softroce_test

import (
	"testing"
	"testing/synctest"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

// A program that polls two queues in turn sees what completes on one of them
// when it completes, and not when the wait for the other one is over.
func TestTwoQueuesInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, y := verbstest.Pair(t, softroce.New(softroce.Options{}), verbstest.Config{})
		y.Recv(1, 0, 64)
		const at = 1030 * time.Microsecond // in the middle of a wait for SendCQ, where nothing comes
		began := time.Now()
		time.AfterFunc(at, func() { x.Send(1, 0, 64) })
		var wc [1]verbs.WC
		for n := 0; n == 0; {
			for _, q := range []*verbs.CQ{y.SendCQ, y.RecvCQ} {
				var err error
				if n, err = q.Poll(wc[:]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if took := time.Since(began); took != at || wc[0].WRID != 1 {
			t.Errorf("the completion of request %d is seen after %v, want request 1 after %v", wc[0].WRID, took, at)
		}
	})
}
