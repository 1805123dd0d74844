//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"testing"

	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// TestTurnLoopSignals sends signals to the thread of a loop that waits, of the
// kind the Go runtime uses to preempt and to profile, while the garbage
// collector runs. Handlers run on a stack of their own; a system call of the
// loop is interrupted and made again.
func TestTurnLoopSignals(t *testing.T) {
	for _, events := range []bool{false, true} {
		t.Run(fmt.Sprintf("events=%v", events), func(t *testing.T) {
			f := newFake(t, 0)
			f.ops.pollCQ = libcFunction(t, "sched_yield").addr // no completion, ever
			l := must[verbs.TurnLoop](t)(f.NewTurnLoop(f.spec(events)))
			turns := []verbs.Turn{{}, {Wait: 1}}
			res := newResult(turns)
			thread, done := make(chan int), make(chan error)
			go func() {
				runtime.LockOSThread()
				thread <- unix.Gettid()
				done <- l.Run(turns, res)
			}()
			disturb(t, <-thread)
			l.Stop()
			if err := <-done; !errors.Is(err, verbs.ErrStopped) || res.Turns != 1 || res.Events != 0 {
				t.Errorf("error %v, result %+v", err, res)
			}
			ok(t, l.Close())
		})
	}
}

func disturb(t *testing.T, thread int) {
	t.Helper()
	if pprof.StartCPUProfile(io.Discard) == nil { // else the whole test is being profiled
		defer pprof.StopCPUProfile()
	}
	for range 200 {
		ok(t, unix.Tgkill(os.Getpid(), thread, unix.SIGURG))
		ok(t, unix.Tgkill(os.Getpid(), thread, unix.SIGPROF))
		runtime.GC()
	}
}
