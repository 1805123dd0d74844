package softroce_test

import (
	"bytes"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

func TestMain(m *testing.M) { verbstest.LeakCheck(m) }

func TestPingPongInMemory(t *testing.T) {
	a, b := verbstest.Pair(t, softroce.New(softroce.Options{}), verbstest.Config{})
	for i := range 100 {
		size := i * 97
		for j := range size {
			a.Buf.Bytes()[j] = byte(i + j)
		}
		b.Recv(uint64(i), 0, 16<<10)
		a.Send(uint64(i), 0, size)
		a.Want(a.SendCQ, uint64(i), verbs.WCSuccess)
		wc := b.Want(b.RecvCQ, uint64(i), verbs.WCSuccess)
		if wc.ByteLen != uint32(size) || !bytes.Equal(a.Buf.Bytes()[:size], b.Buf.Bytes()[:size]) {
			t.Fatalf("message %d differs", i)
		}
	}
}
