// Package kernel is what the operating system itself says about RDMA devices
// and about the resources of a process. It only observes: nothing here opens,
// changes or creates an RDMA object, so its answers are a second opinion on
// what the verbs reported.
//
// Four sources, none cached here:
//
//   - RDMA netlink, the source of rdma(8): resources.go and one file for each
//     kind of object, device.go, driver.go, link.go, system.go, hwcounter.go. conn.go asks,
//     nldev.go has the numbers, table.go the form of the answers, owner.go finds
//     the process behind a record.
//   - files of sysfs and /proc: portcounter.go, gid.go, process.go, fd.go,
//     mapping.go.
//   - the thread that makes a call, from outside (Watch): its system calls through
//     two tracepoints, the files and mappings that came and went. watch.go, seen.go,
//     perfring.go has the records of the kernel, uverbs.go the names of commands.
//   - network devices and routes: netdev.go, route_linux.go.
//
// The parsers are functions of bytes and work everywhere. On an operating
// system other than Linux what asks the kernel returns an error for which
// errors.Is(err, errors.ErrUnsupported) holds (kernel_other.go).
package kernel
