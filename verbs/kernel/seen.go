package kernel

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"ibtour/verbs"
)

// Seen is what was observed from outside of one call that this program made.
type Seen struct {
	// Syscalls are the system calls of the thread that made the call, in order:
	// those on files of RDMA devices and on sockets, and every change of the
	// address space.
	Syscalls []Syscall `json:"syscalls,omitempty"`
	// Others are the other system calls of the same thread meanwhile, such as
	// futex(2) of the Go runtime; most called first.
	Others []Tally `json:"others,omitempty"`
	// Lost is how many crossings into or out of the kernel had no room in the
	// buffer: the list above is not complete then.
	Lost uint64 `json:"lost,omitempty"`
	// Mapped and Unmapped are the mappings of files of RDMA devices that came
	// and went.
	Mapped   []Mapping `json:"mapped,omitempty"`
	Unmapped []Mapping `json:"unmapped,omitempty"`
	// Opened and Closed are the RDMA files that came and went.
	Opened []File `json:"opened,omitempty"`
	Closed []File `json:"closed,omitempty"`
	// Unwatched says why no system call could be observed; nil if they were.
	Unwatched *WatchError `json:"unwatched,omitempty"`
}

// Syscall is one system call, as far as it was observed.
type Syscall struct {
	Name string `json:"name"`
	// FD is the file descriptor it works on, -1 for none, and Path what that was.
	FD   int    `json:"fd"`
	Path string `json:"path,omitempty"`
	// Request is what an ioctl or a write asks of an RDMA device, in the names of
	// the kernel's headers; empty where its bytes were not seen.
	Request string `json:"request,omitempty"`
	// Size and Offset are those of a mapping or of data, in bytes.
	Size   uint64 `json:"size,omitempty"`
	Offset uint64 `json:"offset,omitempty"`
	// Result is what it returned; Errno is its name if it failed, such as ENOSPC.
	Result int64  `json:"result"`
	Errno  string `json:"errno,omitempty"`
}

// Tally is how often a system call was made.
type Tally struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// String returns the count in the form "futex ×2".
func (c Tally) String() string {
	if c.N == 1 {
		return c.Name
	}
	return fmt.Sprintf("%s ×%d", c.Name, c.N)
}

// RDMA tells whether the call works on a file of an RDMA device.
func (s *Syscall) RDMA() bool { return fileKind(s.Path) != FileOther }

// Socket tells whether the call makes a socket or works on one.
func (s *Syscall) Socket() bool { return s.Name == "socket" || strings.HasPrefix(s.Path, "socket") }

// String returns the call in the style of strace(1):
// ioctl(8 /dev/infiniband/uverbs0, RDMA_VERBS_IOCTL: …) = 0.
func (s *Syscall) String() string {
	var args []string
	if s.FD >= 0 || s.Path != "" {
		file := s.Path
		if s.FD >= 0 {
			file = strings.TrimRight(fmt.Sprintf("%d %s", s.FD, s.Path), " ")
		}
		args = append(args, file)
	}
	if s.Request != "" {
		args = append(args, s.Request)
	}
	if s.Size != 0 {
		args = append(args, fmt.Sprintf("%d bytes", s.Size))
	}
	if s.Offset != 0 {
		args = append(args, fmt.Sprintf("offset 0x%x", s.Offset))
	}
	result := fmt.Sprint(s.Result)
	if s.Name == "mmap" && s.Errno == "" {
		result = fmt.Sprintf("0x%x", uint64(s.Result))
	}
	if s.Errno != "" {
		result = "-1 " + s.Errno
	}
	return s.Name + "(" + strings.Join(args, ", ") + ") = " + result
}

// WatchReason is why system calls could not be observed.
type WatchReason string

// The reasons.
const (
	// WatchElsewhere: it works on Linux on amd64 and arm64 only.
	WatchElsewhere WatchReason = "elsewhere"
	// WatchNoTracefs: the list of tracepoints is not there; tracefs is not
	// mounted, or the kernel has none.
	WatchNoTracefs WatchReason = "no tracefs"
	// WatchForbidden: tracefs may be read by root only, as it is by default, or
	// perf_event_open(2) is refused.
	WatchForbidden WatchReason = "forbidden"
	// WatchFailed: something else, said by Err.
	WatchFailed WatchReason = "failed"
)

// WatchError says why system calls could not be observed.
type WatchError struct {
	Reason WatchReason `json:"reason"`
	// Paranoid is kernel.perf_event_paranoid, empty if it could not be read.
	Paranoid string `json:"perf_event_paranoid,omitempty"`
	// Text is what failed, in any language: the path or the call and the errno;
	// for WatchElsewhere the operating system and the architecture.
	Text string `json:"text"`
	Err  error  `json:"-"`
}

// Error says what failed and what to do.
func (e *WatchError) Error() string {
	text := "system calls are not observed: " + e.Text
	switch e.Reason {
	case WatchNoTracefs:
		text += "; root can mount it: mount -t tracefs nodev /sys/kernel/tracing"
	case WatchForbidden:
		text += "; it takes root, or CAP_PERFMON and a tracefs that may be read"
		if e.Paranoid != "" {
			text += " (kernel.perf_event_paranoid is " + e.Paranoid + ")"
		}
	case WatchElsewhere:
		text += "; that is possible on Linux on amd64 and arm64 only"
	case WatchFailed:
	}
	return text
}

// Unwrap returns the reason.
func (e *WatchError) Unwrap() error { return e.Err }

// surroundings are what a call may change besides the objects themselves.
type surroundings struct {
	files    []File
	mappings []Mapping
}

func readSurroundings() surroundings {
	proc, err := procRoot()
	if err != nil {
		return surroundings{}
	}
	return surroundingsOf(proc, os.Getpid())
}

func surroundingsOf(proc fs.FS, pid int) (s surroundings) {
	s.files, _ = readFiles(proc, pid) // what cannot be read has not changed
	s.mappings, _ = fileMappings(proc, pid)
	return s
}

// compare takes note of what came and went.
func (s *Seen) compare(before, after surroundings) {
	s.Opened, s.Closed = without(after.files, before.files), without(before.files, after.files)
	s.Opened = slices.DeleteFunc(s.Opened, notRDMA)
	s.Closed = slices.DeleteFunc(s.Closed, notRDMA)
	s.Mapped, s.Unmapped = without(after.mappings, before.mappings), without(before.mappings, after.mappings)
	s.Mapped = slices.DeleteFunc(s.Mapped, notDevice)
	s.Unmapped = slices.DeleteFunc(s.Unmapped, notDevice)
}

func notDevice(m Mapping) bool { return fileKind(m.Path) != FileVerbs }

func notRDMA(f File) bool { return f.Kind == FileOther }

// without returns the elements of a that are not in b.
func without[T comparable](a, b []T) []T {
	var out []T
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// sort puts the system calls in order and tells those of the call from those
// of the runtime. own are descriptors of the observation itself.
func (s *Seen) sort(all []crossing, before, after surroundings, own []int) {
	t := newFileTable(before, after)
	counts := map[string]int{}
	for i := 0; i+1 < len(all); i++ {
		in, out := &all[i], &all[i+1]
		if !in.enter || out.enter || in.id != out.id {
			continue
		}
		i++
		c, listed := t.describe(in, out)
		switch {
		case slices.Contains(own, c.FD):
		case listed:
			s.Syscalls = append(s.Syscalls, c)
		default:
			counts[c.Name]++
		}
	}
	for name, n := range counts {
		s.Others = append(s.Others, Tally{name, n})
	}
	slices.SortFunc(s.Others, func(a, b Tally) int { return cmp.Or(b.N-a.N, cmp.Compare(a.Name, b.Name)) })
}

// fileTable knows what file descriptors are while system calls are replayed.
type fileTable struct {
	now   map[int]string
	later map[int]string // at the end; for those that came in ways not seen
	maps  []Mapping      // of files, before and after
}

func newFileTable(before, after surroundings) *fileTable {
	t := &fileTable{map[int]string{}, map[int]string{}, append(slices.Clone(before.mappings), after.mappings...)}
	for _, f := range before.files {
		t.now[f.FD] = f.Target
	}
	for _, f := range after.files {
		t.later[f.FD] = f.Target
	}
	return t
}

// mapped returns the file that is mapped at an address, empty for none.
func (t *fileTable) mapped(addr uint64) string {
	for _, m := range t.maps {
		if m.Start <= addr && addr < m.End {
			return m.Path
		}
	}
	return ""
}

func (t *fileTable) path(fd int) string {
	if p, ok := t.now[fd]; ok {
		return p
	}
	return t.later[fd]
}

// describe names a system call and follows what it does to the descriptors.
// listed is false for those that are only counted.
func (t *fileTable) describe(in, out *crossing) (c Syscall, listed bool) {
	c = Syscall{Name: syscallName(in.id), FD: -1, Result: out.result}
	if out.result < 0 && out.result > -4096 {
		c.Errno = verbs.ErrnoName(syscall.Errno(-out.result))
		c.Result = -1
	}
	switch c.Name {
	case "open", "openat", "openat2":
		return t.opened(c, in)
	case "socket":
		c.Request = socketText(in.args)
		t.made(c.Result, "socket")
		return c, true
	case "mmap":
		c.Size = in.args[1]
		if fd := int(int32(in.args[4])); fd >= 0 {
			c.FD, c.Path, c.Offset = fd, cmp.Or(t.path(fd), t.mapped(uint64(out.result))), in.args[5]
		}
		return c, true
	case "munmap":
		c.Size, c.Path = in.args[1], t.mapped(in.args[0])
		return c, true
	}
	if !takesFD[c.Name] {
		return c, false
	}
	c.FD = int(int32(in.args[0]))
	c.Path = t.path(c.FD)
	t.request(&c, in)
	switch {
	case c.Name == "close" && c.Errno == "":
		delete(t.now, c.FD)
		delete(t.later, c.FD)
	case c.Name == "accept" || c.Name == "accept4":
		t.made(c.Result, "socket")
	}
	return c, c.RDMA() || strings.HasPrefix(c.Path, "socket")
}

// opened follows a file that is opened by name. The name is known from the
// descriptor, or if it lies on the stack.
func (t *fileTable) opened(c Syscall, in *crossing) (Syscall, bool) {
	name := in.args[1]
	if c.Name == "open" {
		name = in.args[0]
	}
	c.Path = cString(in.stack.at(name))
	if c.Path == "" && c.Errno == "" {
		c.Path = t.later[int(c.Result)]
	}
	t.made(c.Result, c.Path)
	return c, c.RDMA()
}

func (t *fileTable) made(fd int64, path string) {
	if fd < 0 {
		return
	}
	if p := t.later[int(fd)]; strings.HasPrefix(p, path) && p != "" {
		path = p // socket:[1234] rather than socket
	}
	t.now[int(fd)] = path
}

// request reads what an ioctl or a write asks for.
func (t *fileTable) request(c *Syscall, in *crossing) {
	switch {
	case c.Name == "ioctl":
		c.Request = fmt.Sprintf("0x%x", in.args[1])
		if in.args[1] == rdmaVerbsIoctl && c.RDMA() {
			c.Request = "RDMA_VERBS_IOCTL"
			if text := ioctlText(in.stack.at(in.args[2])); text != "" {
				c.Request += " " + text
			}
		}
	case strings.HasPrefix(c.Name, "read"), strings.HasPrefix(c.Name, "write"), c.Name == "sendto", c.Name == "recvfrom":
		c.Size = in.args[2]
		if c.Name == "write" && fileKind(c.Path) == FileVerbs {
			c.Request = writeText(in.stack.at(in.args[1]))
		}
	}
}

// socketText names what kind of socket is made: AF_NETLINK SOCK_RAW NETLINK_RDMA.
func socketText(args [6]uint64) string {
	families := map[uint64]string{1: "AF_UNIX", 2: "AF_INET", 10: "AF_INET6", 16: "AF_NETLINK"}
	types := map[uint64]string{1: "SOCK_STREAM", 2: "SOCK_DGRAM", 3: "SOCK_RAW"}
	const flags, netlinkRDMA = 0xf, 20 // without SOCK_CLOEXEC and SOCK_NONBLOCK; NETLINK_RDMA
	text := []string{cmp.Or(families[args[0]], fmt.Sprint(args[0])), cmp.Or(types[args[1]&flags], fmt.Sprint(args[1]))}
	if text[0] == "AF_NETLINK" && args[2] == netlinkRDMA {
		text = append(text, "NETLINK_RDMA")
	}
	return strings.Join(text, " ")
}

// cString returns the text up to the first zero; empty if there is none.
func cString(b []byte) string {
	if i := slices.Index(b, 0); i >= 0 {
		return string(b[:i])
	}
	return ""
}

// takesFD has the system calls whose first argument is a file descriptor, of
// those that a verbs program makes.
var takesFD = set(
	"read", "write", "readv", "writev", "pread64", "close", "ioctl", "fcntl", "sendto", "recvfrom", "sendmsg", "recvmsg",
	"sendmmsg", "recvmmsg", "accept", "accept4", "bind", "listen", "connect", "getsockname", "getpeername", "setsockopt", "getsockopt",
	"shutdown", "fstat", "lseek", "getdents64", "epoll_ctl",
)

func set(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}
