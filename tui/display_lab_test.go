//go:build lab

package tui

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"

	"ibtour/tui/ttytest"
)

// display is a terminal with a program on it: a pty whose other end is an
// emulated screen, which is looked at as a reader looks.
type display struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	wrote  chan struct{} // holds a token after something was written
	ended  chan struct{}

	mu  sync.Mutex
	emu *vt.Emulator
}

// onDisplay starts a program on a terminal of that size.
func onDisplay(t *testing.T, w, h int, cmd *exec.Cmd) *display {
	t.Helper()
	mountTerminals(t)
	master, slave := ttytest.Open(t, w, h)
	t.Cleanup(func() { _ = master.Close() })
	d := &display{t: t, cmd: cmd, master: master, emu: vt.NewEmulator(w, h), wrote: make(chan struct{}, 1), ended: make(chan struct{})}
	go func() { _, _ = io.Copy(io.Discard, d.emu) }() // its answers
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty = true, true
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	go d.read()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return d
}

func (d *display) read() {
	defer close(d.ended)
	b := make([]byte, 1<<14)
	for {
		n, err := d.master.Read(b)
		if err != nil {
			return
		}
		d.mu.Lock()
		_, _ = d.emu.Write(b[:n])
		d.mu.Unlock()
		select {
		case d.wrote <- struct{}{}:
		default:
		}
	}
}

// screen returns what is on the screen, without colours.
func (d *display) screen() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.emu.String()
}

// press types.
func (d *display) press(keys string) {
	d.t.Helper()
	if _, err := d.master.WriteString(keys); err != nil {
		d.t.Fatal(err)
	}
}

// wait waits until the screen matches a pattern.
func (d *display) wait(pattern string) {
	d.t.Helper()
	re := regexp.MustCompile(pattern)
	timeout := time.After(2 * time.Minute)
	for !re.MatchString(d.screen()) {
		select {
		case <-d.wrote:
		case <-d.ended:
			d.t.Fatalf("the program ended before %q:\n%s", pattern, d.screen())
		case <-timeout:
			d.t.Fatalf("waited in vain for %q:\n%s", pattern, d.screen())
		}
	}
}

// end waits for the program, which has been told to quit.
func (d *display) end() {
	d.t.Helper()
	status := make(chan error)
	go func() { status <- d.cmd.Wait() }()
	select {
	case err := <-status:
		if err != nil {
			d.t.Errorf("%v: %v\n%s", d.cmd.Args, err, d.screen())
		}
	case <-time.After(2 * time.Minute):
		d.t.Errorf("%v does not end:\n%s", d.cmd.Args, d.screen())
		_ = d.cmd.Process.Kill()
		<-status
	}
}

// resource is a kind of object: its line in what rdma(8) prints of it, and its
// line among the objects on the screen. What both captured must be equal.
type resource struct {
	kind           string
	theirs, onView *regexp.Regexp
}

var resources = []resource{
	{"qp", regexp.MustCompile(`lqpn (\d+) .* state (\S+) `), regexp.MustCompile(`QP +0x([0-9a-f]{6}) +RC +(?:\S+→)?(\S+)`)},
	{"cq", regexp.MustCompile(`^dev \S+ cqn .* cqe (\d+) `), regexp.MustCompile(`CQ +cqe (\d+)`)},
	{"mr", regexp.MustCompile(`^dev \S+ mrn .* mrlen (\d+) `), regexp.MustCompile(`MR +lkey .* length (\d+)`)},
	{"pd", regexp.MustCompile(`^dev \S+ (pd)n \d+ `), regexp.MustCompile(`(PD) +allocated`)},
}

// sameAsRDMA compares the objects on the screen with what rdma(8) says that the
// kernel has of the program. What that calls pid is the thread that made the
// object, so objects are told by the name of the program.
func (d *display) sameAsRDMA(when string) {
	d.t.Helper()
	var batch strings.Builder
	for _, r := range resources {
		fmt.Fprintf(&batch, "resource show %s\n", r.kind)
	}
	rdma := exec.Command("rdma", "-b", "-")
	rdma.Stdin = strings.NewReader(batch.String())
	said, err := rdma.CombinedOutput()
	if err != nil {
		d.t.Fatalf("rdma: %v\n%s", err, said)
	}
	screen := d.screen()
	for _, r := range resources {
		var theirs, ours []string
		for line := range strings.Lines(string(said)) {
			if m := r.theirs.FindStringSubmatch(line); m != nil && strings.Contains(line, "comm ibtour") {
				theirs = append(theirs, strings.ToLower(strings.Join(m[1:], " ")))
			}
		}
		for _, m := range r.onView.FindAllStringSubmatch(screen, -1) {
			if r.kind == "qp" {
				m[1] = decimal(m[1])
			}
			ours = append(ours, strings.ToLower(strings.Join(m[1:], " ")))
		}
		slices.Sort(theirs)
		slices.Sort(ours)
		if !slices.Equal(theirs, ours) {
			d.t.Errorf("%s the screen has %s %q, rdma resource show has %q:\n%s\n%s", when, r.kind, ours, theirs, screen, said)
		}
	}
}

// decimal returns a hexadecimal number in decimal.
func decimal(hex string) string {
	var n uint32
	if _, err := fmt.Sscanf(hex, "%x", &n); err != nil {
		return hex
	}
	return fmt.Sprint(n)
}

// mountTerminals mounts what pseudo terminals live in, which the VM lacks.
func mountTerminals(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/dev/pts/ptmx"); err == nil {
		return
	}
	if err := os.MkdirAll("/dev/pts", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("devpts", "/dev/pts", "devpts", 0, "ptmxmode=0666"); err != nil {
		t.Fatal(err)
	}
}
