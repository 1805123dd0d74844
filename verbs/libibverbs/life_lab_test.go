//go:build lab

package libibverbs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"ibtour/verbs"
)

// TestLabQueryQP reads back what was set.
func TestLabQueryQP(t *testing.T) {
	a, b := newPair(t, 4096)
	got := must[verbs.QPAttr](t)(a.qp.Query(rtrMask | rtsMask | verbs.AttrCap))
	if got.State != verbs.QPSRTS || got.PathMTU != verbs.MTU1024 || got.DestQPN != b.qp.Num() ||
		got.RQPSN != 0x123456 || got.SQPSN != 0x123456 || got.Timeout != 14 || got.RetryCnt != 7 ||
		got.RNRRetry != 7 || got.MinRNRTimer != 12 || got.MaxRDAtomic != 1 || got.MaxDestRDAtomic != 1 {
		t.Errorf("attributes: %+v", got)
	}
	if got.AH.GRH.DGID != b.gid.GID || !got.AH.IsGlobal || int(got.AH.GRH.SGIDIndex) != a.gid.Index || got.AH.PortNum != 1 {
		t.Errorf("address: %+v", got.AH)
	}
	if got.Cap.MaxSendWR < labDepth || got.Cap.MaxInlineData != a.qp.Cap().MaxInlineData {
		t.Errorf("capacity: %+v, at creation %+v", got.Cap, a.qp.Cap())
	}
}

// TestLabFlush moves a queue pair to ERR: what was posted is flushed.
func TestLabFlush(t *testing.T) {
	a, _ := newPair(t, 4096)
	r := a.recvWR()
	ok(t, a.qp.PostRecv(&r))
	ok(t, a.qp.Modify(verbs.QPAttr{State: verbs.QPSErr}, verbs.AttrState))
	wc := a.spin(1)[0]
	if wc.Status != verbs.WCWRFlushErr || wc.WRID != recvWRID || wc.QPN != a.qp.Num() {
		t.Errorf("completion: %+v", wc)
	}
	if got := must[verbs.QPAttr](t)(a.qp.Query(verbs.AttrState)).State; got != verbs.QPSErr {
		t.Errorf("state: %v", got)
	}
}

// TestLabAsyncEvent adds an address to the interface below rxe0, which changes
// its GID table.
func TestLabAsyncEvent(t *testing.T) {
	ctx, _ := openLab(t)
	addr := func(verb string) {
		out, err := exec.Command("/usr/sbin/ip", "address", verb, "10.99.0.1/32", "dev", "v0").CombinedOutput()
		if err != nil {
			t.Fatalf("ip address %s: %v: %s", verb, err, out)
		}
	}
	addr("add")
	defer addr("del")
	ev := must[verbs.AsyncEvent](t)(ctx.GetAsyncEvent(t.Context()))
	ctx.AckAsyncEvent(ev)
	if ev.Type != verbs.EventGIDChange || ev.Port != 1 || ev.QPN != 0 {
		t.Errorf("event: %+v", ev)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for {
		ev, err := ctx.GetAsyncEvent(stopped)
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("stopped wait: %v", err)
			}
			return
		}
		ctx.AckAsyncEvent(ev)
	}
}

// TestLabNoLeaks makes and closes everything and then finds nothing left: not
// in the kernel, no file descriptor, no memory mapping.
func TestLabNoLeaks(t *testing.T) {
	life := func() {
		t.Run("life", func(t *testing.T) {
			a, b := newPair(t, 4096)
			play(t, a, b, 3, true)
			_, err := a.ctx.QueryPort(1)
			ok(t, err)
			ok(t, errors.Join(a.ctx.CloseAll(), b.ctx.CloseAll(), a.buf.Free(), b.buf.Free()))
		})
	}
	life()
	before := holdings(t)
	for range 10 {
		life()
	}
	if after := holdings(t); after != before {
		t.Errorf("left behind:\nbefore %s\nafter  %s", before, after)
	}
}

// holdings counts what a process can hold: the rdma tool's summary of the
// kernel's objects, open files, and mappings of the size of a block.
func holdings(t *testing.T) string {
	t.Helper()
	objects := must[[]byte](t)(exec.Command("/usr/sbin/rdma", "resource", "show").Output())
	files := must[[]os.DirEntry](t)(os.ReadDir("/proc/self/fd"))
	var uverbs int
	for line := range strings.Lines(string(must[[]byte](t)(os.ReadFile("/proc/self/maps")))) {
		if strings.Contains(line, "infiniband") {
			uverbs++
		}
	}
	return fmt.Sprintf("%s%d files, %d mappings of the device", objects, len(files), uverbs)
}
