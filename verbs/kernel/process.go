package kernel

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// Process is what the kernel says about the memory and the open files of a
// process.
type Process struct {
	PID int
	// Pinned is the memory that may not move, in bytes: registered memory is
	// (VmPin in proc(5)). Soft-RoCE counts here too.
	Pinned uint64
	// Locked is the memory that may not be swapped, by mlock, in bytes (VmLck).
	Locked uint64
	// Resident is the memory in RAM, in bytes (VmRSS).
	Resident uint64
	// MemlockSoft and MemlockHard limit the pinned memory of a user without
	// CAP_IPC_LOCK, in bytes (RLIMIT_MEMLOCK, ulimit -l). Unlimited is Unlimited.
	MemlockSoft, MemlockHard uint64
	Files                    []File
}

// Unlimited is a limit that is none.
const Unlimited = math.MaxUint64

// ReadProcess returns the memory and the open files of a process. The error
// wraps fs.ErrNotExist when there is no such process, fs.ErrPermission when it
// belongs to somebody else.
func ReadProcess(pid int) (Process, error) {
	proc, err := procRoot()
	if err != nil {
		return Process{}, err
	}
	return readProcess(proc, pid)
}

func readProcess(proc fs.FS, pid int) (Process, error) {
	status, err := readStatus(proc, pid)
	if err != nil {
		return Process{}, err
	}
	p := Process{
		PID: pid, Pinned: kilobytes(status["VmPin"]), Locked: kilobytes(status["VmLck"]),
		Resident: kilobytes(status["VmRSS"]),
	}
	limits, err := readProc(proc, pid, "limits")
	if err != nil {
		return Process{}, err
	}
	p.MemlockSoft, p.MemlockHard = memlock(limits)
	p.Files, err = readFiles(proc, pid)
	return p, err
}

// readStatus reads /proc/PID/status; PID may be a thread too.
func readStatus(proc fs.FS, pid int) (map[string]string, error) {
	text, err := readProc(proc, pid, "status")
	if err != nil {
		return nil, err
	}
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	return fields, nil
}

func readProc(proc fs.FS, pid int, file string) (string, error) {
	b, err := fs.ReadFile(proc, strconv.Itoa(pid)+"/"+file)
	if err != nil {
		return "", fmt.Errorf("process %d: %w", pid, err)
	}
	return string(b), nil
}

// kilobytes reads a size such as "1024 kB". A kernel thread has none: 0.
func kilobytes(text string) uint64 {
	n, err := strconv.ParseUint(strings.TrimSuffix(text, " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return n * 1024
}

// memlock finds the limit in /proc/PID/limits.
func memlock(limits string) (soft, hard uint64) {
	for line := range strings.Lines(limits) {
		rest, found := strings.CutPrefix(line, "Max locked memory")
		if f := strings.Fields(rest); found && len(f) >= 2 {
			return limit(f[0]), limit(f[1])
		}
	}
	return 0, 0
}

func limit(text string) uint64 {
	if text == "unlimited" {
		return Unlimited
	}
	n, _ := strconv.ParseUint(text, 10, 64)
	return n
}
