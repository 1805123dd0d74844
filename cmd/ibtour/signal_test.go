//go:build unix && !lab

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Ctrl-C during the iterations prints what was measured. The capture goes to a
// pipe: when many packets have come through, the iterations run.
func TestInterruptedIterations(t *testing.T) {
	for _, args := range [][]string{nil, {"-e"}, {"-c"}, {"--json"}} {
		fifo := filepath.Join(t.TempDir(), "packets")
		if err := unix.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		packets, err := os.OpenFile(fifo, os.O_RDWR, 0) // for writing too: no wait for the other end, and no end
		if err != nil {
			t.Fatal(err)
		}
		var out, stderr strings.Builder
		line := append([]string{"auto", "-d", "soft0", "-n", "100000000", "-p", freePort(t), "--pcap", fifo}, args...)
		cmd := exec.CommandContext(t.Context(), "ibtour", line...)
		cmd.Stdout, cmd.Stderr = &out, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(scriptPatience, func() { _ = cmd.Process.Kill() })
		_, err = io.CopyN(io.Discard, packets, 1<<19)
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, packets) }() // ends when it is closed
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its status is looked at below
		kill.Stop()
		packets.Close()
		if s := cmd.ProcessState.ExitCode(); s != exitSignal+int(syscall.SIGINT) {
			t.Errorf("auto %v ends with %d, want 130\n%s", args, s, stderr.String())
		}
		figures := "round trip: min "
		if len(args) > 0 && args[0] == "--json" {
			figures = `"exit_status": 130`
		}
		if !strings.Contains(out.String(), figures) {
			t.Errorf("auto %v was interrupted and prints no figures:\n%s", args, out.String())
		}
		if !strings.HasSuffix(stderr.String(), "ended by interrupt\n") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("auto %v: %q", args, stderr.String())
		}
	}
}
