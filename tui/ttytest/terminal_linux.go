// Package ttytest runs a program on a pseudo terminal (pty(7)) that answers
// nothing, and tells how it leaves the terminal. It is for tests.
package ttytest

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// Patience is how long a test waits for the program.
const Patience = time.Minute

// Terminal is a terminal with a program on it, which is the leader of its
// session.
type Terminal struct {
	tb     testing.TB
	cmd    *exec.Cmd
	master *os.File
	slave  *os.File
	before unix.Termios
	ended  chan struct{} // the program

	mu      sync.Mutex
	changed *sync.Cond
	out     []byte
	seen    int // how much of out Wait has passed
}

// Start runs a command on a terminal of that size. It is killed with the test.
func Start(tb testing.TB, cmd *exec.Cmd, columns, rows int) *Terminal {
	tb.Helper()
	t := &Terminal{tb: tb, cmd: cmd, ended: make(chan struct{})}
	t.changed = sync.NewCond(&t.mu)
	t.master, t.slave = Open(tb, columns, rows)
	t.before = t.termios()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.slave, t.slave, t.slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		t.read()
	}()
	go func() {
		defer close(t.ended)
		_ = cmd.Wait() // its status is asked for by Status
	}()
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-t.ended
		t.slave.Close()
		t.master.Close()
		<-read
	})
	return t
}

// Open makes a pair of that size (pty(7), ioctl_tty(2)): what is written to one
// side is read from the other.
func Open(tb testing.TB, columns, rows int) (master, slave *os.File) {
	tb.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		tb.Fatal(err)
	}
	master = os.NewFile(uintptr(fd), "ptmx")
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		tb.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		tb.Fatal(err)
	}
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		tb.Fatal(err)
	}
	resize(tb, fd, columns, rows)
	return master, slave
}

func resize(tb testing.TB, fd, columns, rows int) {
	tb.Helper()
	size := &unix.Winsize{Row: uint16(rows), Col: uint16(columns)}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, size); err != nil {
		tb.Fatal(err)
	}
}

func (t *Terminal) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := t.master.Read(buf)
		t.mu.Lock()
		t.out = append(t.out, buf[:n]...)
		t.changed.Broadcast()
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Wait waits until what was written since the last Wait, without escape
// sequences, matches a pattern.
func (t *Terminal) Wait(pattern string) {
	t.tb.Helper()
	re := regexp.MustCompile(pattern)
	late := time.AfterFunc(Patience, t.changed.Broadcast)
	defer late.Stop()
	began := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		text := ansi.Strip(string(t.out[t.seen:]))
		if re.MatchString(text) {
			t.seen = len(t.out)
			return
		}
		if time.Since(began) >= Patience {
			t.tb.Fatalf("waited in vain for %q in\n%s", pattern, text)
		}
		t.changed.Wait()
	}
}

// Type types.
func (t *Terminal) Type(s string) {
	t.tb.Helper()
	if _, err := t.master.WriteString(s); err != nil {
		t.tb.Fatal(err)
	}
}

// Signal sends a signal to the program.
func (t *Terminal) Signal(s syscall.Signal) {
	t.tb.Helper()
	if err := t.cmd.Process.Signal(s); err != nil {
		t.tb.Fatal(err)
	}
}

// Resize changes the size, which the kernel tells the program by SIGWINCH.
func (t *Terminal) Resize(columns, rows int) {
	t.tb.Helper()
	resize(t.tb, t.fd(), columns, rows)
}

// HangUp closes the terminal, as closing its window does.
func (t *Terminal) HangUp() {
	t.slave.Close()
	t.master.Close()
}

// Status waits for the end of the program and returns its exit status.
func (t *Terminal) Status() int {
	t.tb.Helper()
	select {
	case <-t.ended:
	case <-time.After(Patience):
		t.tb.Fatalf("the program does not end; it wrote\n%s", ansi.Strip(t.Output()))
	}
	return t.cmd.ProcessState.ExitCode()
}

// CPU returns the processor time the program has used so far
// (clock_getcpuclockid(3)).
func (t *Terminal) CPU() time.Duration {
	t.tb.Helper()
	const processClock = 2 // of the scheduler, of all its threads
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^t.cmd.Process.Pid<<3|processClock), &ts); err != nil {
		t.tb.Fatal(err)
	}
	return time.Duration(ts.Nano())
}

// Output returns all that was written so far, with the escape sequences. What a
// program that has ended wrote is complete.
func (t *Terminal) Output() string {
	t.tb.Helper()
	select {
	case <-t.ended:
		t.drain()
	default:
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.out)
}

// drain waits until all that was written has been read: what we write
// ourselves comes after it.
func (t *Terminal) drain() {
	t.mu.Lock()
	from := len(t.out)
	t.mu.Unlock()
	const mark = "\x1b]ttytest\a"
	if _, err := t.slave.WriteString(mark); err != nil {
		return // hung up
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		if i := bytes.Index(t.out[max(from-len(mark), 0):], []byte(mark)); i >= 0 {
			i += max(from-len(mark), 0)
			t.out = append(t.out[:i], t.out[i+len(mark):]...)
			return
		}
		t.changed.Wait()
	}
}

// Modes are the private modes (DECSET) a program can leave a terminal in.
var Modes = map[int]string{
	7: "auto wrap", 25: "cursor", 1000: "mouse", 1002: "mouse with motion", 1003: "mouse with all motion", 1004: "focus",
	1006: "SGR mouse", 1049: "alternate screen", 2004: "bracketed paste", 2026: "synchronized output",
}

var setMode = regexp.MustCompile(`\x1b\[\?([\d;]+)([hl])`)

// Mode tells whether a private mode is set, as a terminal begins that has the
// cursor and wraps.
func (t *Terminal) Mode(n int) bool {
	t.tb.Helper()
	on := n == 7 || n == 25
	for _, m := range setMode.FindAllStringSubmatch(t.Output(), -1) {
		for _, number := range regexp.MustCompile(`\d+`).FindAllString(m[1], -1) {
			if number == strconv.Itoa(n) {
				on = m[2] == "h"
			}
		}
	}
	return on
}

// Restored checks that the terminal is as it was before the program: the line
// discipline, and what a terminal shows and reports.
func (t *Terminal) Restored() {
	t.tb.Helper()
	if now := t.termios(); now != t.before {
		t.tb.Errorf("the line discipline is %+v, was %+v", now, t.before)
	}
	for n, name := range Modes {
		if on, want := t.Mode(n), n == 7 || n == 25; on != want {
			t.tb.Errorf("%s (mode %d) is left %s", name, n, map[bool]string{true: "on", false: "off"}[on])
		}
	}
}

// Taken checks that the terminal is taken over: raw, on the alternate screen.
func (t *Terminal) Taken() {
	t.tb.Helper()
	if now := t.termios(); now.Lflag&(unix.ICANON|unix.ECHO) != 0 {
		t.tb.Errorf("the line discipline is not raw: %+v", now)
	}
	if !t.Mode(1049) || t.Mode(25) || !t.Mode(2004) || !t.Mode(1002) {
		t.tb.Error("the terminal is not taken over")
	}
}

func (t *Terminal) termios() unix.Termios {
	t.tb.Helper()
	tio, err := unix.IoctlGetTermios(t.fd(), unix.TCGETS)
	if err != nil {
		t.tb.Fatal(err)
	}
	return *tio
}

func (t *Terminal) fd() int { return int(t.slave.Fd()) }
