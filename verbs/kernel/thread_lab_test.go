//go:build lab && linux

package kernel

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/libibverbs"
)

// The kernel forgets who made an object when that thread ends. The context and
// the protection domain of this test lose their thread, and get their process
// back from a completion queue that was made later, by a thread that lives.
func TestLabEndedThread(t *testing.T) {
	pid := os.Getpid()
	var ctx *verbs.Context
	var pd *verbs.PD
	onEndedThread(t, func() {
		ctx = openLab(t)
		pd = try(t, ctx.AllocPD)
	})
	defer runtime.KeepAlive(ctx)
	all := mustRead(t, 0)
	if len(all.Contexts) != 1 || all.Contexts[0].Owner != (Owner{}) || all.Objects() != 2 {
		t.Errorf("with its thread gone: %+v, want a context and a PD without owner", all)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cq := try(t, func() (*verbs.CQ, error) { return ctx.CreateCQ(1, nil) })
	mine := mustRead(t, pid)
	if len(mine.Contexts) != 1 || len(mine.PDs) != 1 || len(mine.CQs) != 1 || mine.PDs[0].PID != pid || mine.PDs[0].TID != 0 {
		t.Errorf("with a thread that lives: %+v, want a context, PD and CQ of %d", mine, pid)
	}
	if err := errors.Join(cq.Close(), pd.Close(), ctx.Close()); err != nil {
		t.Error(err)
	}
	if left := mustRead(t, 0); left.Objects() != 0 {
		t.Errorf("left behind: %+v", left)
	}
}

func openLab(t *testing.T) *verbs.Context {
	t.Helper()
	driver := try(t, libibverbs.Open)
	list := try(t, func() (*verbs.DeviceList, error) { return verbs.GetDeviceList(driver, nil) })
	defer func() { _ = list.Free() }()
	return try(t, func() (*verbs.Context, error) { return list.Open(lab) })
}

// try may run outside the test's goroutine, where Fatal must not be called.
func try[T any](t *testing.T, f func() (T, error)) T {
	t.Helper()
	v, err := f()
	if err != nil {
		t.Error(err)
	}
	return v
}

// onEndedThread runs f on a thread of its own and returns when that has ended.
func onEndedThread(t *testing.T, f func()) {
	t.Helper()
	tid := onOwnThread(f)
	eventually(t, "the thread has ended", func() bool {
		_, err := os.Stat("/proc/self/task/" + strconv.Itoa(tid))
		return errors.Is(err, fs.ErrNotExist)
	})
}

// onOwnThread runs f on a thread that ends soon after, and returns its number.
func onOwnThread(f func()) int {
	ran := make(chan int)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if syscall.Gettid() == os.Getpid() {
			// The first thread never ends; while we hold it we get another.
			ran <- onOwnThread(f)
			runtime.UnlockOSThread()
			return
		}
		f()
		ran <- syscall.Gettid()
	}()
	return <-ran
}
