package kernel

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
)

// procFixture is the /proc of a ping-pong with events, as the lab VM showed it.
func procFixture() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	link := func(to string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink}
	}
	return fstest.MapFS{
		"162/status": file("Name:\tibv_rc_pingpong\nTgid:\t162\nVmLck:\t       0 kB\nVmPin:\t    1024 kB\nVmRSS:\t    3564 kB\n"),
		"162/limits": file("Limit                     Soft Limit           Hard Limit           Units     \n" +
			"Max locked memory         8388608              unlimited            bytes     \n"),
		"162/fd/10": link("socket:[4242]"),
		"162/fd/3":  link("/dev/infiniband/uverbs0"),
		"162/fd/4":  link("anon_inode:[infinibandevent]"),
		"162/fd/5":  link("/dev/infiniband/rdma_cm"),
		"162/fd/x":  file(""),
		"162/fd/6":  file("not a link: closed while we looked"),
		"162/maps": file("55799b3dd000-55799b3df000 r--p 00000000 fe:00 247026                     /lab/a b\n" +
			"55799bdab000-55799bdcc000 rw-p 00000000 00:00 0                          [heap]\n" +
			"7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n" +
			"nonsense\n"),
		"163/status": file("Name:\tkthreadd\nTgid:\t163\n"),
		"163/limits": file(""),
		"163/fd":     &fstest.MapFile{Mode: fs.ModeDir},
	}
}

func TestReadProcess(t *testing.T) {
	p, err := readProcess(procFixture(), 162)
	if err != nil {
		t.Fatal(err)
	}
	if p.Pinned != 1<<20 || p.Locked != 0 || p.Resident != 3564*1024 {
		t.Errorf("memory: %+v, want 1 MiB pinned, none locked, 3564 KiB resident", p)
	}
	if p.MemlockSoft != 8<<20 || p.MemlockHard != Unlimited {
		t.Errorf("limits: %d, %d; want 8 MiB, unlimited", p.MemlockSoft, p.MemlockHard)
	}
	want := []File{
		{3, "/dev/infiniband/uverbs0", FileVerbs},
		{4, "anon_inode:[infinibandevent]", FileEvents},
		{5, "/dev/infiniband/rdma_cm", FileCM},
		{10, "socket:[4242]", FileOther},
	}
	if !slices.Equal(p.Files, want) {
		t.Errorf("files %v, want %v", p.Files, want)
	}
}

func TestReadProcessWithoutMemory(t *testing.T) {
	p, err := readProcess(procFixture(), 163)
	if err != nil || p.Pinned != 0 || p.MemlockSoft != 0 || p.Files != nil {
		t.Errorf("kernel thread: %+v, %v", p, err)
	}
	if _, err := readProcess(procFixture(), 164); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such process: %v", err)
	}
}

func TestReadMapping(t *testing.T) {
	for addr, want := range map[uint64]Mapping{
		0x7f0000000000: {Start: 0x7f0000000000, End: 0x7f0000100000, Perms: "rw-p"},
		0x7f00000fffff: {Start: 0x7f0000000000, End: 0x7f0000100000, Perms: "rw-p"},
		0x55799bdab940: {Start: 0x55799bdab000, End: 0x55799bdcc000, Perms: "rw-p", Path: "[heap]"},
		0x55799b3dd001: {Start: 0x55799b3dd000, End: 0x55799b3df000, Perms: "r--p", Path: "/lab/a b"},
	} {
		if got, err := readMapping(procFixture(), 162, addr); err != nil || got != want {
			t.Errorf("0x%x: got %+v, %v; want %+v", addr, got, err, want)
		}
	}
	if m, err := readMapping(procFixture(), 162, 0x7f0000100000); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("address past the end: %+v, %v", m, err)
	}
	if size := (Mapping{Start: 0x1000, End: 0x3000}).Size(); size != 8192 {
		t.Errorf("size is %d, want 8192", size)
	}
}
