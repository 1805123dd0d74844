package kernel

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"testing"
)

// ioctlBytes is a struct ib_uverbs_ioctl_hdr with attributes of an id and data.
func ioctlBytes(object, method uint16, attrs ...uint64) []byte {
	b := binary.LittleEndian.AppendUint16(nil, uint16(ioctlHeader+ioctlAttribute*len(attrs)/2))
	b = binary.LittleEndian.AppendUint16(b, object)
	b = binary.LittleEndian.AppendUint16(b, method)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(attrs)/2))
	b = append(b, make([]byte, 16)...)
	for i := 0; i+1 < len(attrs); i += 2 {
		b = binary.LittleEndian.AppendUint64(b, attrs[i])
		b = binary.LittleEndian.AppendUint64(b, attrs[i+1])
	}
	return b
}

func TestIoctlText(t *testing.T) {
	const cqCreate = "UVERBS_OBJECT_CQ UVERBS_METHOD_CQ_CREATE"
	invoke := "UVERBS_OBJECT_DEVICE UVERBS_METHOD_INVOKE_WRITE"
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{ioctlBytes(3, 0), cqCreate},
		{ioctlBytes(3, 0)[:ioctlHeader-1], ""},
		{nil, ""},
		{ioctlBytes(16, 0), "UVERBS_OBJECT_ASYNC_EVENT UVERBS_METHOD_ASYNC_EVENT_ALLOC"},
		{ioctlBytes(7, 4), "UVERBS_OBJECT_MR UVERBS_METHOD_REG_DMABUF_MR"},
		{ioctlBytes(7, 9), "UVERBS_OBJECT_MR method 0x9"},
		{ioctlBytes(17, 0), "object 0x11 method 0x0"},
		{ioctlBytes(0x1003, 0x1001), "object 0x1003 of the driver method 0x1001 of the driver"},
		{ioctlBytes(0, 0, 0, 99, attrWriteCmd, 9), invoke + " IB_USER_VERBS_CMD_REG_MR"},
		{ioctlBytes(0, 0, attrWriteCmd, cmdExtended|26), invoke + " IB_USER_VERBS_EX_CMD_MODIFY_QP"},
		{ioctlBytes(0, 0, attrWriteCmd, cmdExtended|52), invoke + " IB_USER_VERBS_EX_CMD_CREATE_WQ"},
		{ioctlBytes(0, 0, attrWriteCmd, 49), invoke + " command 0x31"},
		{ioctlBytes(0, 0, 0, 99, attrWriteCmd, 9)[:ioctlHeader+ioctlAttribute], invoke}, // cut off before the command
		{ioctlBytes(0, 3, attrWriteCmd, 9), "UVERBS_OBJECT_DEVICE UVERBS_METHOD_GET_CONTEXT"},
	} {
		if got := ioctlText(c.b); got != c.want {
			t.Errorf("% x: %q, want %q", c.b, got, c.want)
		}
	}
}

// sys is a system call as its two crossings.
func sys(id int64, result int64, stack memory, args ...uint64) []crossing {
	in := crossing{enter: true, id: id, stack: stack}
	copy(in.args[:], args)
	return []crossing{in, {id: id, result: result}}
}

// number finds the number of a system call on this architecture.
func number(tb testing.TB, name string) int64 {
	tb.Helper()
	for n := range int64(512) {
		if syscallName(n) == name {
			return n
		}
	}
	tb.Skipf("this architecture has no %s: nothing is observed here", name)
	return 0
}

// TestSort has the system calls of ibv_create_cq, as the lab VM showed them,
// between some of the runtime and those of the observation itself.
func TestSort(t *testing.T) {
	const uverbs = "/dev/infiniband/uverbs0"
	queue := Mapping{Start: 0x7f0000001000, End: 0x7f0000006000, Perms: "rw-s", Offset: 0x1000, Path: uverbs}
	before := surroundings{files: []File{{7, uverbs, FileVerbs}, {9, "socket:[5]", FileOther}, {12, "anon_inode:[perf_event]", FileOther}}}
	after := surroundings{files: append(slices.Clone(before.files), File{8, "anon_inode:[infinibandevent]", FileEvents}), mappings: []Mapping{queue}}
	stack := memory{addr: 0x7ff000, data: append(make([]byte, 64), ioctlBytes(3, 0)...)}
	post := memory{addr: 0x7ff000, data: []byte{28, 0, 0, 0, 8, 0, 1, 0}}
	ioctl, futex, write := number(t, "ioctl"), number(t, "futex"), number(t, "write")
	var all []crossing
	for _, c := range [][]crossing{
		sys(ioctl, 0, memory{}, 12, 0x2400)[1:], // the way out of switching it on
		sys(futex, 0, memory{}, 1),
		sys(ioctl, 0, stack, 7, rdmaVerbsIoctl, 0x7ff000+64),
		sys(ioctl, -28, memory{}, 7, rdmaVerbsIoctl, 0x1000), // not on the stack
		sys(number(t, "mmap"), 0x7f0000001000, memory{}, 0, 20480, 3, 1, 7, 0x1000),
		sys(number(t, "mmap"), 0x7f0000009000, memory{}, 0, 3072, 3, 0x22, 0xffffffffffffffff, 0),
		sys(write, 32, post, 7, 0x7ff000, 32),
		sys(write, 8, post, 99, 0x7ff000, 8), // no file of ours
		sys(number(t, "sendto"), 60, memory{}, 9, 0, 60),
		sys(number(t, "munmap"), 0, memory{}, 0x7f0000001000, 20480),
		sys(futex, 0, memory{}, 1),
		sys(number(t, "close"), 0, memory{}, 8),
		sys(number(t, "close"), -9, memory{}, 8), // closed already: no file any more
		sys(ioctl, 0, memory{}, 12, 0x2401),
		sys(ioctl, 0, memory{}, 12, 0x2401)[:1],
	} {
		all = append(all, c...)
	}
	var s Seen
	s.sort(all, before, after, []int{12, 13})
	want := []string{
		"ioctl(7 " + uverbs + ", RDMA_VERBS_IOCTL UVERBS_OBJECT_CQ UVERBS_METHOD_CQ_CREATE) = 0",
		"ioctl(7 " + uverbs + ", RDMA_VERBS_IOCTL) = -1 ENOSPC",
		"mmap(7 " + uverbs + ", 20480 bytes, offset 0x1000) = 0x7f0000001000",
		"mmap(3072 bytes) = 0x7f0000009000",
		"write(7 " + uverbs + ", IB_USER_VERBS_CMD_POST_SEND, 32 bytes) = 32",
		"sendto(9 socket:[5], 60 bytes) = 60",
		"munmap(" + uverbs + ", 20480 bytes) = 0",
		"close(8 anon_inode:[infinibandevent]) = 0",
	}
	var got []string
	for i := range s.Syscalls {
		got = append(got, s.Syscalls[i].String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("system calls\n%q\nwant\n%q", got, want)
	}
	if others := []Tally{{"futex", 2}, {"close", 1}, {"write", 1}}; !slices.Equal(s.Others, others) {
		t.Errorf("others %v, want %v", s.Others, others)
	}
	s.compare(before, after)
	if !slices.Equal(s.Mapped, []Mapping{queue}) || !slices.Equal(s.Opened, after.files[3:]) || s.Unmapped != nil || s.Closed != nil {
		t.Errorf("came %v %v, went %v %v", s.Mapped, s.Opened, s.Unmapped, s.Closed)
	}
	s.compare(after, before)
	if !slices.Equal(s.Unmapped, []Mapping{queue}) || !slices.Equal(s.Closed, after.files[3:]) || s.Mapped != nil || s.Opened != nil {
		t.Errorf("came %v %v, went %v %v", s.Mapped, s.Opened, s.Unmapped, s.Closed)
	}
}

// TestOpened follows descriptors that come and go within one call.
func TestOpened(t *testing.T) {
	const uverbs = "/dev/infiniband/uverbs0"
	name := memory{addr: 0x1000, data: append([]byte(uverbs), 0)}
	after := surroundings{files: []File{{7, uverbs, FileVerbs}}, mappings: []Mapping{{Start: 0x5000, End: 0x6000, Path: "/lib/librxe.so"}}}
	openat, ioctl, closing := number(t, "openat"), number(t, "ioctl"), number(t, "close")
	var all []crossing
	for _, c := range [][]crossing{
		sys(openat, 6, memory{}, 0, 0x9000), // its name was not seen
		sys(closing, 0, memory{}, 6),
		sys(number(t, "socket"), 6, memory{}, 16, 0x80003, 20),
		sys(number(t, "sendmsg"), 16, memory{}, 6),
		sys(closing, 0, memory{}, 6),
		sys(openat, -2, name, 0, 0x1000),
		sys(openat, 6, name, 0, 0x1000),
		sys(ioctl, 0, memory{}, 6, rdmaVerbsIoctl),
		sys(closing, 0, memory{}, 6),
		sys(openat, 7, memory{}, 0, 0x9000),
		sys(number(t, "mmap"), 0x5000, memory{}, 0, 4096, 1, 2, 6, 0),
	} {
		all = append(all, c...)
	}
	var s Seen
	s.sort(all, surroundings{}, after, nil)
	want := []string{
		"socket(AF_NETLINK SOCK_RAW NETLINK_RDMA) = 6",
		"sendmsg(6 socket) = 16",
		"close(6 socket) = 0",
		"openat(" + uverbs + ") = -1 ENOENT",
		"openat(" + uverbs + ") = 6",
		"ioctl(6 " + uverbs + ", RDMA_VERBS_IOCTL) = 0",
		"close(6 " + uverbs + ") = 0",
		"openat(" + uverbs + ") = 7",
		"mmap(6 /lib/librxe.so, 4096 bytes) = 0x5000",
	}
	var got []string
	for i := range s.Syscalls {
		got = append(got, s.Syscalls[i].String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("system calls\n%q\nwant\n%q", got, want)
	}
}

func TestSurroundings(t *testing.T) {
	proc := procFixture()
	proc["162/maps"].Data = append(proc["162/maps"].Data, "7f0c9524b000-7f0c95250000 rw-s 00001000 00:05 9  /dev/infiniband/uverbs0\n"...)
	s := surroundingsOf(proc, 162)
	if len(s.mappings) != 2 || s.mappings[1].String() != "7f0c9524b000-7f0c95250000 rw-s, offset 0x1000, 20480 bytes, /dev/infiniband/uverbs0" {
		t.Errorf("mappings %v, want that of a library and that of the device", s.mappings)
	}
	if len(s.files) != 4 || s.files[0].String() != "3 /dev/infiniband/uverbs0" {
		t.Errorf("files %v", s.files)
	}
}

func TestWatchError(t *testing.T) {
	for _, c := range []struct {
		e    WatchError
		want string
	}{
		{
			WatchError{Reason: WatchForbidden, Paranoid: "3", Text: "perf_event_open: EACCES", Err: fs.ErrPermission},
			"system calls are not observed: perf_event_open: EACCES; it takes root, or CAP_PERFMON and a tracefs " +
				"that may be read (kernel.perf_event_paranoid is 3)",
		},
		{
			WatchError{Reason: WatchNoTracefs, Text: "/sys/…/id: ENOENT", Err: fs.ErrNotExist},
			"system calls are not observed: /sys/…/id: ENOENT; root can mount it: mount -t tracefs nodev /sys/kernel/tracing",
		},
		{
			WatchError{Reason: WatchElsewhere, Text: "plan9/386", Err: errors.ErrUnsupported},
			"system calls are not observed: plan9/386; that is possible on Linux on amd64 and arm64 only",
		},
		{WatchError{Reason: WatchFailed, Text: "perf_event_open: EMFILE", Err: fs.ErrInvalid}, "system calls are not observed: perf_event_open: EMFILE"},
	} {
		if got := c.e.Error(); got != c.want || !errors.Is(&c.e, c.e.Err) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
