//go:build linux && (amd64 || arm64)

package kernel

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// syscallNames are the system calls that a program with verbs, sockets and the
// Go runtime makes, by their numbers on this architecture.
var syscallNames = map[int64]string{
	unix.SYS_READ: "read", unix.SYS_WRITE: "write", unix.SYS_READV: "readv", unix.SYS_WRITEV: "writev",
	unix.SYS_PREAD64: "pread64", unix.SYS_OPENAT: "openat", unix.SYS_OPENAT2: "openat2", unix.SYS_CLOSE: "close",
	unix.SYS_FSTAT: "fstat", unix.SYS_STATX: "statx", unix.SYS_LSEEK: "lseek", unix.SYS_GETDENTS64: "getdents64",
	unix.SYS_READLINKAT: "readlinkat", unix.SYS_FACCESSAT: "faccessat", unix.SYS_FCNTL: "fcntl",
	unix.SYS_IOCTL: "ioctl", unix.SYS_MMAP: "mmap", unix.SYS_MUNMAP: "munmap", unix.SYS_MPROTECT: "mprotect",
	unix.SYS_MADVISE: "madvise", unix.SYS_MREMAP: "mremap", unix.SYS_BRK: "brk", unix.SYS_MLOCK: "mlock",
	unix.SYS_SOCKET: "socket", unix.SYS_BIND: "bind", unix.SYS_LISTEN: "listen", unix.SYS_ACCEPT: "accept",
	unix.SYS_ACCEPT4: "accept4", unix.SYS_CONNECT: "connect", unix.SYS_GETSOCKNAME: "getsockname",
	unix.SYS_GETPEERNAME: "getpeername", unix.SYS_SETSOCKOPT: "setsockopt", unix.SYS_GETSOCKOPT: "getsockopt",
	unix.SYS_SHUTDOWN: "shutdown", unix.SYS_SENDTO: "sendto", unix.SYS_RECVFROM: "recvfrom",
	unix.SYS_SENDMSG: "sendmsg", unix.SYS_RECVMSG: "recvmsg", unix.SYS_SENDMMSG: "sendmmsg",
	unix.SYS_RECVMMSG: "recvmmsg", unix.SYS_EPOLL_CTL: "epoll_ctl", unix.SYS_EPOLL_PWAIT: "epoll_pwait",
	unix.SYS_PPOLL: "ppoll", unix.SYS_EVENTFD2: "eventfd2", unix.SYS_PIPE2: "pipe2",
	unix.SYS_FUTEX: "futex", unix.SYS_NANOSLEEP: "nanosleep", unix.SYS_CLOCK_NANOSLEEP: "clock_nanosleep",
	unix.SYS_CLOCK_GETTIME: "clock_gettime", unix.SYS_SCHED_YIELD: "sched_yield",
	unix.SYS_SCHED_GETAFFINITY: "sched_getaffinity", unix.SYS_CLONE: "clone", unix.SYS_CLONE3: "clone3",
	unix.SYS_GETPID: "getpid", unix.SYS_GETTID: "gettid", unix.SYS_TGKILL: "tgkill", unix.SYS_GETUID: "getuid",
	unix.SYS_GETEUID: "geteuid", unix.SYS_GETGID: "getgid", unix.SYS_GETEGID: "getegid",
	unix.SYS_RT_SIGACTION: "rt_sigaction", unix.SYS_RT_SIGPROCMASK: "rt_sigprocmask",
	unix.SYS_RT_SIGRETURN: "rt_sigreturn", unix.SYS_SIGALTSTACK: "sigaltstack", unix.SYS_GETRANDOM: "getrandom",
	unix.SYS_PRLIMIT64: "prlimit64", unix.SYS_GETRUSAGE: "getrusage", unix.SYS_RSEQ: "rseq",
	unix.SYS_MEMBARRIER: "membarrier", unix.SYS_RESTART_SYSCALL: "restart_syscall",
}

// syscallName returns the name of a system call, or "system call 333".
func syscallName(n int64) string {
	if s, ok := syscallNames[n]; ok {
		return s
	}
	if s, ok := oldSyscallNames[n]; ok {
		return s
	}
	return fmt.Sprintf("system call %d", n)
}
