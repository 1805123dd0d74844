//go:build linux && (amd64 || arm64)

package kernel

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// perf is the pair of tracepoints that sees a thread enter the kernel and
// leave it, and the ring both write to.
type perf struct {
	enter, exit       int // file descriptors
	enterType, exType uint16
	ring              []byte // a page of positions, then data
}

// From perf_event_open(2) and include/uapi/linux/perf_event.h.
const (
	ringPages = 128     // and one more: what kernel.perf_event_mlock_kb leaves any user
	stackCopy = 2 << 10 // bytes of stack that are copied: the header of an ioctl lies there

	dataHead = 1024 // offset of data_head in struct perf_event_mmap_page
	dataTail = 1032
)

// tracefs is where the kernel lists its tracepoints.
const tracefs = "/sys/kernel/tracing"

// openPerf opens both tracepoints for the calling thread, not yet started.
func openPerf() (*perf, *WatchError) {
	p := &perf{enter: -1, exit: -1}
	var err *WatchError
	if p.enterType, err = tracepoint("sys_enter"); err != nil {
		return nil, err
	}
	if p.exType, err = tracepoint("sys_exit"); err != nil {
		return nil, err
	}
	if err := p.open(); err != nil {
		p.close()
		return nil, watchError("perf_event_open", err)
	}
	return p, nil
}

func (p *perf) open() (err error) {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_TRACEPOINT, Config: uint64(p.enterType), Sample: 1, Bits: unix.PerfBitDisabled,
		Sample_type:      unix.PERF_SAMPLE_RAW | unix.PERF_SAMPLE_REGS_USER | unix.PERF_SAMPLE_STACK_USER,
		Sample_regs_user: 1 << stackPointer, Sample_stack_user: stackCopy,
	}
	attr.Size = unix.PERF_ATTR_SIZE_VER5
	if p.enter, err = unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC); err != nil {
		return err
	}
	attr.Config, attr.Sample_type = uint64(p.exType), unix.PERF_SAMPLE_RAW
	attr.Sample_regs_user, attr.Sample_stack_user = 0, 0
	if p.exit, err = unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC); err != nil {
		return err
	}
	size := (1 + ringPages) * os.Getpagesize()
	if p.ring, err = unix.Mmap(p.enter, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return err
	}
	return unix.IoctlSetInt(p.exit, unix.PERF_EVENT_IOC_SET_OUTPUT, p.enter)
}

// start lets both see. It is the last thing before the call.
func (p *perf) start() *WatchError {
	err := errors.Join(unix.IoctlSetInt(p.exit, unix.PERF_EVENT_IOC_ENABLE, 0),
		unix.IoctlSetInt(p.enter, unix.PERF_EVENT_IOC_ENABLE, 0))
	if err != nil {
		return watchError("PERF_EVENT_IOC_ENABLE", err)
	}
	return nil
}

// stop ends it and returns what was seen. Nobody writes to the ring any more:
// both events are of this thread alone.
func (p *perf) stop() ([]crossing, uint64) {
	_ = unix.IoctlSetInt(p.enter, unix.PERF_EVENT_IOC_DISABLE, 0)
	_ = unix.IoctlSetInt(p.exit, unix.PERF_EVENT_IOC_DISABLE, 0)
	head, tail := binary.LittleEndian.Uint64(p.ring[dataHead:]), binary.LittleEndian.Uint64(p.ring[dataTail:])
	return parseRing(unroll(p.ring[os.Getpagesize():], tail, head), p.enterType, p.exType)
}

// fds are the descriptors of the observation itself.
func (p *perf) fds() []int { return []int{p.enter, p.exit} }

func (p *perf) close() {
	if p.ring != nil {
		_ = unix.Munmap(p.ring)
	}
	for _, fd := range p.fds() {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
}

// tracepoint returns the number of a tracepoint of the group raw_syscalls.
func tracepoint(name string) (uint16, *WatchError) {
	b, err := os.ReadFile(tracefs + "/events/raw_syscalls/" + name + "/id")
	if err != nil {
		return 0, watchError("tracefs", err)
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 16)
	if err != nil {
		return 0, watchError("tracefs", err)
	}
	return uint16(n), nil
}

// watchError says why system calls cannot be seen.
func watchError(what string, err error) *WatchError {
	e := &WatchError{Reason: WatchFailed, Err: fmt.Errorf("%s: %w", what, err), Text: what + ": " + err.Error()}
	var path *fs.PathError
	if errors.As(err, &path) {
		what = path.Path
	}
	var errno unix.Errno
	if errors.As(err, &errno) {
		e.Text = what + ": " + verbs.ErrnoName(errno)
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		e.Reason = WatchForbidden
	case errors.Is(err, fs.ErrNotExist):
		e.Reason = WatchNoTracefs
	}
	if b, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid"); err == nil {
		e.Paranoid = strings.TrimSpace(string(b))
	}
	return e
}
