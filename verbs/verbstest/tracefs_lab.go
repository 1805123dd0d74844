//go:build lab && linux

package verbstest

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Tracefs mounts tracefs for a test in the lab VM, so that root may observe
// system calls (kernel.Watch).
//
// It also leaves two other observers on both tracepoints, which record nothing,
// for as long as the VM runs. Between none, one and two the kernel rewrites its
// own code, and an emulated processor that executes that code at the moment may
// go on with the old bytes for ever (QEMU's translation cache); beyond two it
// does not. So they are put there once, by the first test that needs them, and
// never taken away.
func Tracefs(tb testing.TB) {
	tb.Helper()
	const dir = "/sys/kernel/tracing"
	if err := unix.Mount("trace", dir, "tracefs", 0, ""); err != nil {
		tb.Fatalf("mounting tracefs: %v", err)
	}
	set := func(file, value string) {
		if err := os.WriteFile(dir+"/"+file, []byte(value), 0); err != nil {
			tb.Errorf("%s: %v", file, err)
		}
	}
	observers := []string{"raw_syscalls/sys_enter", "raw_syscalls/sys_exit", "syscalls/sys_enter_getcwd", "syscalls/sys_exit_getcwd"}
	on, err := os.ReadFile(dir + "/events/" + observers[0] + "/enable")
	if err != nil {
		tb.Fatal(err)
	}
	if on[0] == '0' {
		set("tracing_on", "0")
		for _, o := range observers {
			set("events/"+o+"/enable", "1")
		}
	}
	tb.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			tb.Errorf("unmounting tracefs: %v", err)
		}
	})
}
