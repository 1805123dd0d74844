//go:build !unix

package verbs

import "syscall"

// errnoName knows the errors the embedded device returns: elsewhere the Go
// runtime invents the numbers, so there is no table to look them up in.
func errnoName(e Errno) string {
	return map[Errno]string{
		syscall.EACCES: "EACCES", syscall.EADDRINUSE: "EADDRINUSE", syscall.EAGAIN: "EAGAIN",
		syscall.EBUSY: "EBUSY", syscall.EFAULT: "EFAULT", syscall.EHOSTUNREACH: "EHOSTUNREACH",
		syscall.EINTR: "EINTR", syscall.EINVAL: "EINVAL", syscall.EIO: "EIO", syscall.ENODATA: "ENODATA",
		syscall.ENODEV: "ENODEV", syscall.ENOENT: "ENOENT", syscall.ENOMEM: "ENOMEM",
		syscall.ENOSYS: "ENOSYS", syscall.EOPNOTSUPP: "EOPNOTSUPP", syscall.EPERM: "EPERM",
		syscall.ENETUNREACH: "ENETUNREACH", syscall.ETIMEDOUT: "ETIMEDOUT",
	}[e]
}
