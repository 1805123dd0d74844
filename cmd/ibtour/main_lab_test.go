//go:build lab

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"ibtour/verbs/kernel"
)

// These tests run in the lab VM as root, on the Soft-RoCE device rxe0. Programs
// are started as a user would start them.

const (
	ibtour = "/lab/ibtour"
	stock  = "ibv_rc_pingpong"
	device = "rxe0"
)

// patience is how long a program may take before it is ended and the test
// fails; the VM is slow, and its two processors are shared.
var patience = map[bool]time.Duration{false: 90 * time.Second, true: time.Hour}[allDay()]

// allDay tells whether there is time for thousands of iterations everywhere
// (make lab-long).
func allDay() bool { return os.Getenv("IBTOUR_LAB_LONG") != "" }

// proc is a program under test.
type proc struct {
	*exec.Cmd
	out, err bytes.Buffer
	done     chan error
}

// start starts a program; the end of the test ends it.
func start(t testing.TB, name string, args ...string) *proc {
	t.Helper()
	return startWith(t, nil, nil, name, args...)
}

// startWith is start with another standard input and error.
func startWith(t testing.TB, stdin io.Reader, stderr io.Writer, name string, args ...string) *proc {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	p := &proc{Cmd: exec.CommandContext(ctx, name, args...), done: make(chan error, 1)}
	p.Stdin, p.Stdout, p.Stderr = stdin, &p.out, &p.err
	if stderr != nil {
		p.Stderr = io.MultiWriter(&p.err, stderr)
	}
	p.WaitDelay = time.Second
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.Cmd.Wait() }()
	t.Cleanup(func() {
		cancel()
		_ = p.Process.Kill()
	})
	return p
}

// status waits for the end of a program and returns its exit status.
func (p *proc) status() int {
	<-p.done
	return p.ProcessState.ExitCode()
}

// succeed waits for a program and fails the test unless it exits with 0.
func (p *proc) succeed(t testing.TB) {
	t.Helper()
	if s := p.status(); s != 0 {
		t.Errorf("%s ended with %d\n%s%s", strings.Join(p.Args, " "), s, p.out.String(), p.err.String())
	}
}

// pipe returns a standard input and what types into it. A program gets it as it
// is, without a goroutine that copies.
func pipe(t *testing.T) (stdin, keys *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

// errText returns what an ended program wrote to standard error.
func (p *proc) errText() string { return p.err.String() }

// eventually waits until a condition holds, up to the limit of patience.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// listening waits until something listens on a TCP port of this machine.
func listening(t testing.TB, port int) {
	t.Helper()
	want := fmt.Sprintf(":%04X ", port)
	eventually(t, fmt.Sprintf("TCP port %d", port), func() bool {
		for _, f := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(b)) {
				f := strings.Fields(line)
				if len(f) > 3 && f[3] == "0A" && strings.HasSuffix(f[1]+" ", want) {
					return true
				}
			}
		}
		return false
	})
}

// nothingLeft fails the test unless the kernel has no RDMA object of any
// process. It frees those of a killed process a moment after its end.
func nothingLeft(t *testing.T) {
	t.Helper()
	eventually(t, "the kernel to have no RDMA object of any process", func() bool { return objects(t) == 0 })
}

func objects(t *testing.T) int {
	t.Helper()
	r, err := kernel.ReadResources(device, 0)
	if err != nil {
		t.Fatal(err)
	}
	return r.Objects()
}

// gids returns the index of the routable IPv4 and of the global IPv6 GID.
func gids(t *testing.T) (v4, v6 int) {
	t.Helper()
	p := start(t, ibtour, "devices", "--json")
	p.succeed(t)
	var views []deviceView
	if err := json.Unmarshal(p.out.Bytes(), &views); err != nil {
		t.Fatal(err)
	}
	v4, v6 = -1, -1
	for _, g := range views[0].Ports[0].GIDs {
		switch {
		case strings.HasPrefix(g.GID, "::ffff:"):
			v4 = g.Index
		case !strings.HasPrefix(g.GID, "fe80:"):
			v6 = g.Index
		}
	}
	if v4 < 0 || v6 < 0 {
		t.Fatalf("the lab has no IPv4 or no IPv6 GID: %+v", views[0].Ports[0].GIDs)
	}
	return v4, v6
}
