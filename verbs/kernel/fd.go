package kernel

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// File is an open file of a process.
type File struct {
	FD int `json:"fd"`
	// Target is what the kernel calls it: a path, or "socket:[1234]".
	Target string   `json:"target"`
	Kind   FileKind `json:"-"`
}

// String returns the descriptor and what it is: 7 /dev/infiniband/uverbs0.
func (f File) String() string { return fmt.Sprintf("%d %s", f.FD, f.Target) }

// FileKind is what an open file is to RDMA.
type FileKind uint8

// The kinds of open files.
const (
	// FileOther has nothing to do with RDMA.
	FileOther FileKind = iota
	// FileVerbs is /dev/infiniband/uverbsN, the way into the kernel of a context.
	FileVerbs
	// FileEvents delivers events: asynchronous events of a context, or those of
	// a completion channel. The kernel names both alike; ibv_context.async_fd
	// and ibv_comp_channel.fd tell them apart.
	FileEvents
	// FileCM is /dev/infiniband/rdma_cm, the way into the connection manager.
	FileCM
)

// String returns the kind in a word or two.
func (k FileKind) String() string {
	names := [...]string{"other", "verbs", "events", "connection manager"}
	return name(names[:], k)
}

func readFiles(proc fs.FS, pid int) ([]File, error) {
	dir := strconv.Itoa(pid) + "/fd"
	entries, err := fs.ReadDir(proc, dir)
	if err != nil {
		return nil, fmt.Errorf("open files of process %d: %w", pid, err)
	}
	var all []File
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		target, err := fs.ReadLink(proc, dir+"/"+e.Name())
		if err != nil {
			continue // closed since: the descriptor that listed the folder, for one
		}
		all = append(all, File{FD: fd, Target: target, Kind: fileKind(target)})
	}
	slices.SortFunc(all, func(a, b File) int { return cmp.Compare(a.FD, b.FD) })
	return all, nil
}

func fileKind(target string) FileKind {
	switch {
	case strings.HasPrefix(target, "/dev/infiniband/uverbs"):
		return FileVerbs
	case target == "/dev/infiniband/rdma_cm":
		return FileCM
	case target == "anon_inode:[infinibandevent]":
		return FileEvents
	}
	return FileOther
}
