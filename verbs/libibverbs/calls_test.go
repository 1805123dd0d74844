//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// libcFunction returns a function of libc to try a convention on: each verb
// fails in the way of one of them.
func libcFunction(tb testing.TB, name string) *function {
	tb.Helper()
	libc := must[uintptr](tb)(purego.Dlopen("libc.so.6", purego.RTLD_NOW))
	return &function{name, must[uintptr](tb)(purego.Dlsym(libc, name))}
}

// cText returns a C string that stays where it is.
func cText(tb testing.TB, s string) uintptr {
	tb.Helper()
	b, err := newBlock(uintptr(len(s) + 1))
	ok(tb, err)
	tb.Cleanup(b.free)
	copy(b.mem, s)
	return b.addr()
}

const noFD = ^uintptr(0) // -1, also to C

func TestConventions(t *testing.T) {
	l := &library{}
	l.find(must[uintptr](t)(purego.Dlopen("libc.so.6", purego.RTLD_NOW)), l.ofLibc())
	missingFile, mode := cText(t, "/nonexistent"), cText(t, "r")
	closeFD, fopen := libcFunction(t, "close"), libcFunction(t, "fopen")
	pointer := func(f *function, args ...uintptr) error {
		p, err := l.pointer(f, args...)
		if (p == 0) != (err != nil) {
			t.Errorf("%s gave %#x and the error %v", f.name, p, err)
		}
		return err
	}
	for _, c := range []struct {
		name string
		got  error
		want error
	}{
		{"pointer, NULL", pointer(fopen, missingFile, mode), syscall.ENOENT},
		{"pointer", pointer(libcFunction(t, "strchr"), mode, 'r'), nil},
		{"pointer, NULL without errno", pointer(libcFunction(t, "strchr"), mode, 'x'), syscall.EIO},
		{"status, a value", l.status(libcFunction(t, "posix_fadvise"), noFD, 0, 0, 0), syscall.EBADF},
		{"status, -1 and errno", l.status(closeFD, noFD), syscall.EBADF},
		{"status", l.status(libcFunction(t, "sched_yield")), nil},
		{"minusOne, -1", l.minusOne(closeFD, noFD), syscall.EBADF},
		{"minusOne", l.minusOne(libcFunction(t, "sched_yield")), nil},
		{"fastStatus, a value", fastStatus(libcFunction(t, "posix_fadvise").addr, []uintptr{noFD, 0, 0, 0}), syscall.EBADF},
		{"negative status", statusError(-int32(syscall.ENOMEM)), syscall.ENOMEM},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	abs := libcFunction(t, "abs").addr
	if n, err := fastCount(abs, []uintptr{highBits | 5}); n != 5 || err != nil {
		t.Errorf("count of 5: %d, %v", n, err)
	}
	if n, err := fastCount(libcFunction(t, "close").addr, []uintptr{noFD}); n != 0 || !errors.Is(err, syscall.EIO) {
		t.Errorf("count of -1: %d, %v", n, err)
	}
}

// TestMissingFunction asks a library for verbs that it does not have.
func TestMissingFunction(t *testing.T) {
	l := must[*driver](t)(open("libc.so.6")).lib
	_, pointer := l.pointer(&l.createQP)
	for _, err := range []error{pointer, l.status(&l.modifyQP), l.minusOne(&l.queryGID)} {
		var verr *verbs.Error
		if !errors.As(err, &verr) || !errors.Is(err, syscall.EOPNOTSUPP) || !strings.HasPrefix(verr.Op, "ibv_") {
			t.Errorf("missing function: %v", err)
		}
	}
	if r := l.void(&l.ackCQEvents); r != 0 {
		t.Errorf("missing void function: %d", r)
	}
}

// TestErrnoUnderStress makes calls that fail for different reasons in many
// goroutines, while the garbage collector runs and goroutines change threads.
func TestErrnoUnderStress(t *testing.T) {
	l := must[*driver](t)(open("libc.so.6")).lib
	fopen, closeFD := libcFunction(t, "fopen"), libcFunction(t, "close")
	missingFile, dir, mode := cText(t, "/nonexistent"), cText(t, "/"), cText(t, "w")
	read := cText(t, "r")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 500 {
				_, notThere := l.pointer(fopen, missingFile, read)
				_, isDir := l.pointer(fopen, dir, mode)
				bad := l.minusOne(closeFD, noFD)
				if !errors.Is(notThere, syscall.ENOENT) || !errors.Is(isDir, syscall.EISDIR) || !errors.Is(bad, syscall.EBADF) {
					t.Errorf("got %v, %v, %v", notThere, isDir, bad)
					return
				}
				if i%50 == 0 {
					runtime.GC()
				}
				runtime.Gosched()
			}
		})
	}
	group.Wait()
}

func TestMissingLibrary(t *testing.T) {
	_, err := open("libnonexistent.so.1")
	var load *LoadError
	if !errors.As(err, &load) || load.Library != "libnonexistent.so.1" || load.Reason == nil {
		t.Fatalf("got %#v", err)
	}
	for _, part := range []string{"libnonexistent.so.1", "ibverbs-providers", "libibverbs1", "Fedora"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not mention %s", err, part)
		}
	}
}

// TestDeviceList asks the C library. Without RDMA in the kernel it reports
// ENOSYS; otherwise there is a list, which may be empty.
func TestDeviceList(t *testing.T) {
	d, err := Open()
	var load *LoadError
	if errors.As(err, &load) {
		unproved(t, err.Error())
	}
	ok(t, err)
	list, err := d.DeviceList()
	if unix.Access("/sys/class/infiniband_verbs/abi_version", unix.F_OK) != nil {
		if !errors.Is(err, syscall.ENOSYS) {
			t.Fatalf("without RDMA in the kernel: %v", err)
		}
		return
	}
	ok(t, err)
	for _, info := range list.Devices() {
		if info.Name == "" || info.UVerbs == "/dev/infiniband/" || !strings.HasSuffix(info.SysPath, info.Name) {
			t.Errorf("device %+v", info)
		}
	}
	list.Free()
	list.Free()
}
