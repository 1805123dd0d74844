package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// console is a tmux server of its own with a shell in it.
type console struct {
	t    *testing.T
	sock string
}

func newConsole(t *testing.T, w, h int) *console {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("IBTOUR_REQUIRE_TMUX") != "" {
			t.Fatal("tmux is not installed: .ci/need installs it")
		}
		t.Skip("tmux is not installed: this was NOT tested")
	}
	dir := t.TempDir()
	conf := filepath.Join(dir, "conf")
	if err := os.WriteFile(conf, []byte("set -g status off\nset -s escape-time 0\nset -g default-terminal tmux-256color\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tm := &console{t, filepath.Join(dir, "s")}
	cmd := exec.Command("tmux", "-S", tm.sock, "-f", conf, "new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h),
		"env PS1='ready> ' LC_ALL=C.UTF-8 bash --norc --noprofile -i")
	cmd.Env = append(os.Environ(), "TMUX=", "TERM=xterm")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("tmux does not start: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", tm.sock, "kill-server").Run() })
	tm.wait("ready>")
	return tm
}

func (tm *console) tmux(args ...string) string {
	out, _ := exec.Command("tmux", append([]string{"-S", tm.sock}, args...)...).CombinedOutput()
	return string(out)
}

func (tm *console) screen() string { return tm.tmux("capture-pane", "-p") }

// wait looks until the screen matches a pattern.
func (tm *console) wait(pattern string) {
	tm.t.Helper()
	re := regexp.MustCompile(pattern)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(2 * time.Minute)
	for {
		select {
		case <-tick.C:
			if re.MatchString(tm.screen()) {
				return
			}
		case <-timeout:
			tm.t.Fatalf("waited in vain for %q; the screen is\n%s", pattern, tm.screen())
		}
	}
}

func (tm *console) keys(keys ...string) { tm.tmux(append([]string{"send-keys"}, keys...)...) }

// tour starts the tour, with settings of helper.
func (tm *console) tour(settings string) {
	tm.t.Helper()
	tm.keys(fmt.Sprintf("%s=1 TOUR_PORT=%d %s %s", helperEnv, freePort(tm.t), settings, os.Args[0]), "Enter")
}

// restored checks that the terminal is as it was.
func (tm *console) restored() {
	tm.t.Helper()
	tm.wait(`ready>\s*$`)
	if s := tm.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}"); strings.TrimSpace(s) != "0 1 0" {
		tm.t.Errorf("alternate screen, cursor and mouse are %q, want 0 1 0", s)
	}
}

// TestTerminalWalk starts from the start screen, walks, goes back, presses
// wrong keys, breaks off and sees the tear-down.
func TestTerminalWalk(t *testing.T) {
	tm := newConsole(t, 120, 40)
	tm.tour("TOUR_START=1")
	tm.wait("Enter starts")
	tm.wait("● soft0")
	tm.keys("Enter")
	tm.wait("about to happen +Discover 1 of")
	tm.keys("Space")
	tm.wait("done +Discover 1 of")
	tm.keys("x")
	tm.wait("x does nothing here")
	tm.keys("n")
	tm.wait("about to happen +Discover 2 of")
	tm.keys("Left")
	tm.wait("Discover 1 of")
	tm.keys("L")
	tm.wait("发现设备 1 / ")
	tm.keys("Right", "Right")
	tm.wait("已完成 +发现设备 2 /")
	tm.keys("?")
	tm.wait("─ 按键")
	tm.keys("Escape")
	tm.wait("另一端的同一步")
	tm.keys("q")
	tm.wait("所有对象都已销毁")
	tm.keys("x")
	tm.wait("left in order")
	tm.restored()
}

// TestTerminalEnd runs to the end, while the size changes.
func TestTerminalEnd(t *testing.T) {
	tm := newConsole(t, 120, 40)
	tm.tour("TOUR_ITERS=3000")
	tm.wait("about to happen")
	tm.keys("e")
	for _, s := range []size{{80, 24}, {40, 10}, {200, 50}, {100, 30}} {
		tm.tmux("resize-window", "-x", fmt.Sprint(s.w), "-y", fmt.Sprint(s.h))
	}
	tm.wait("The run is complete")
	tm.wait(`Mbit/s`)
	tm.tmux("resize-window", "-x", "50", "-y", "12")
	tm.wait("needs 60×18")
	tm.tmux("resize-window", "-x", "120", "-y", "40")
	tm.wait("The run is complete")
	tm.keys("q")
	tm.wait("left in order")
	tm.restored()
}

// signal sends a signal to the program in the terminal.
func (tm *console) signal(name string) { tm.tmux("run-shell", "pkill -"+name+" -P #{pane_pid}") }

// TestTerminalSignals stops in every way there is, resumes, and ends by a signal
// in the middle of a run and while it is stopped.
func TestTerminalSignals(t *testing.T) {
	tm := newConsole(t, 80, 24)
	tm.tour("TOUR_AT=client/qp_rts")
	tm.wait("about to happen +Meet 39 of")
	tm.wait("0-9 panel") // the last line: a frame may be read while it arrives
	shown := "^" + regexp.QuoteMeta(tm.screen()) + "$"
	for _, stop := range []func(){
		func() { tm.keys("C-z") },
		func() { tm.signal("TSTP") },
		func() { tm.keys("C-z") },
	} {
		stop()
		tm.wait("Stopped")
		tm.restored()
		tm.keys("fg", "Enter")
		tm.wait(shown)
	}
	tm.keys("Space")
	tm.wait("done +Meet 39 of")
	tm.signal("TERM")
	tm.wait(`ibtour: `)
	tm.restored()
}

// TestTerminalStopped is stopped by SIGSTOP, which nobody can prepare for, and
// ended while it is stopped.
func TestTerminalStopped(t *testing.T) {
	tm := newConsole(t, 80, 24)
	tm.tour("TOUR_AT=client/qp_rts")
	tm.wait("about to happen +Meet 39 of")
	tm.signal("STOP")
	tm.wait("Stopped")
	tm.tmux("resize-window", "-x", "120", "-y", "40")
	tm.keys("fg", "Enter")
	tm.wait("about to happen +Meet 39 of")
	tm.wait("/ search") // in the wider footer only
	tm.keys("C-z")
	tm.wait("Stopped")
	tm.restored()
	tm.keys("clear; kill %1; fg", "Enter")
	tm.wait(`ibtour: `)
	tm.restored()
}
