package kernel

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// Mapping is a range of a process's addresses (proc(5), /proc/PID/maps).
// Neighbours of the same kind share one, so it may be larger than the buffer
// that was asked about.
type Mapping struct {
	// Start is the first address, End the one after the last.
	Start uint64 `json:"start"`
	End   uint64 `json:"end"`
	// Perms is r, w, x or - for each, then p for private or s for shared.
	Perms string `json:"perms"`
	// Offset is the place in the file where it begins, in bytes. A driver puts
	// queues and doorbell pages at offsets of its own choice.
	Offset uint64 `json:"offset"`
	// Path is the file behind it or a name such as "[heap]", empty for
	// anonymous memory.
	Path string `json:"path,omitempty"`
}

// String returns the mapping in the style of /proc: 7f0c9524b000-7f0c95250000
// rw-s, offset 0x1000, 20480 bytes, /dev/infiniband/uverbs0.
func (m Mapping) String() string {
	return strings.TrimRight(fmt.Sprintf("%x-%x %s, offset 0x%x, %d bytes, %s", m.Start, m.End, m.Perms, m.Offset, m.Size(), m.Path), ", ")
}

// Size returns the length in bytes.
func (m Mapping) Size() uint64 { return m.End - m.Start }

// ReadMapping returns the mapping of a process that contains an address. The
// error wraps fs.ErrNotExist when there is none or no such process,
// fs.ErrPermission when it belongs to somebody else.
func ReadMapping(pid int, addr uint64) (Mapping, error) {
	proc, err := procRoot()
	if err != nil {
		return Mapping{}, err
	}
	return readMapping(proc, pid, addr)
}

func readMapping(proc fs.FS, pid int, addr uint64) (Mapping, error) {
	text, err := readProc(proc, pid, "maps")
	if err != nil {
		return Mapping{}, err
	}
	for line := range strings.Lines(text) {
		if m, ok := parseMapping(line); ok && m.Start <= addr && addr < m.End {
			return m, nil
		}
	}
	return Mapping{}, fmt.Errorf("process %d has no memory at 0x%x: %w", pid, addr, fs.ErrNotExist)
}

// fileMappings returns the mappings of files: libraries, and the queues and
// doorbell pages that the driver of an RDMA device shares with this process.
func fileMappings(proc fs.FS, pid int) ([]Mapping, error) {
	text, err := readProc(proc, pid, "maps")
	if err != nil {
		return nil, err
	}
	var all []Mapping
	for line := range strings.Lines(text) {
		if m, ok := parseMapping(line); ok && strings.HasPrefix(m.Path, "/") {
			all = append(all, m)
		}
	}
	return all, nil
}

// parseMapping reads "start-end perms offset device inode path".
func parseMapping(line string) (Mapping, bool) {
	fields := strings.Fields(line)
	if len(fields) < 5 {
		return Mapping{}, false
	}
	from, to, _ := strings.Cut(fields[0], "-")
	start, err1 := strconv.ParseUint(from, 16, 64)
	end, err2 := strconv.ParseUint(to, 16, 64)
	if err1 != nil || err2 != nil {
		return Mapping{}, false
	}
	offset, err := strconv.ParseUint(fields[2], 16, 64)
	if err != nil {
		return Mapping{}, false
	}
	path := strings.Join(fields[5:], " ")
	return Mapping{Start: start, End: end, Perms: fields[1], Offset: offset, Path: path}, true
}
