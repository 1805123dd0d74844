package kernel

import "golang.org/x/sys/unix"

// oldSyscallNames are the older forms, which only this architecture has.
var oldSyscallNames = map[int64]string{
	unix.SYS_OPEN: "open", unix.SYS_STAT: "stat", unix.SYS_LSTAT: "lstat", unix.SYS_POLL: "poll",
	unix.SYS_ACCESS: "access", unix.SYS_PIPE: "pipe", unix.SYS_SELECT: "select", unix.SYS_READLINK: "readlink",
	unix.SYS_EPOLL_WAIT: "epoll_wait", unix.SYS_NEWFSTATAT: "newfstatat", unix.SYS_ARCH_PRCTL: "arch_prctl",
}

// stackPointer is PERF_REG_X86_SP.
const stackPointer = 7
