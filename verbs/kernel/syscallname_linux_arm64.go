package kernel

import "golang.org/x/sys/unix"

// oldSyscallNames has what other architectures call otherwise.
var oldSyscallNames = map[int64]string{unix.SYS_FSTATAT: "newfstatat"}

// stackPointer is PERF_REG_ARM64_SP.
const stackPointer = 31
