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
	Start, End uint64
	// Perms is r, w, x or - for each, then p for private or s for shared.
	Perms string
	// Path is the file behind it or a name such as "[heap]", empty for
	// anonymous memory.
	Path string
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
	path := strings.Join(fields[5:], " ")
	return Mapping{Start: start, End: end, Perms: fields[1], Path: path}, true
}
