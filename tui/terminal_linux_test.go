package tui

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ibtour/tui/ttytest"
)

// These tests run the tour as another process on a terminal that answers
// nothing, and look at how it leaves it. Those in terminal_test.go have a
// terminal emulator and a shell.

// onTerminal starts the tour as helper does, with settings.
func onTerminal(tb testing.TB, settings ...string) *ttytest.Terminal {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(settings, helperEnv+"=1", fmt.Sprintf("TOUR_PORT=%d", freePort(tb)), "TERM=xterm-256color")...)
	return ttytest.Start(tb, cmd, 100, 30)
}

// after returns what was written after the screen was left.
func after(tm *ttytest.Terminal) string {
	_, text, _ := strings.Cut(tm.Output(), "\x1b[?1049l")
	return text
}

// TestPanics has a panic in every place that is ours. Afterwards the terminal is
// as before and shows the panic with its stack; what was made is destroyed.
func TestPanics(t *testing.T) {
	for place, c := range map[string]struct{ value, stack string }{
		"Update":  {"invalid memory address", "(*program).Update"},
		"View":    {"invalid memory address", "(*program).View"},
		"command": {injected, "(*program).guarded"},
		"pump":    {injected, "(*session).pump"},
		"gate":    {injected, "(*session).gate"},
		"step":    {injected, "steps.guarded"},
	} {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "torn")
			tm := onTerminal(t, "TOUR_PANIC="+place, "TOUR_TORN="+file, "TOUR_AT=alloc_pd")
			if place == "gate" || place == "step" { // a step that failed, and the tour stays to show it
				tm.Wait("✗ This step failed")
				tm.Type("q")
			}
			if s := tm.Status(); s != 1 {
				t.Errorf("it ends with %d", s)
			}
			tm.Restored()
			if text := after(tm); !strings.Contains(text, c.stack) || !strings.Contains(text, "panic: ") || !strings.Contains(text, "\r\nibtour: ") || !strings.Contains(text, c.value) {
				t.Errorf("the terminal does not show %q and a stack with %q, but\n%s", c.value, c.stack, text)
			}
			if got := torn(t, file); place != "command" && !slices.Equal(got, listsFreed) {
				t.Errorf("%v were torn down, want %v", got, listsFreed)
			}
		})
	}
}

// torn reads which steps of the tear-down were executed.
func torn(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Fields(string(b))
}

// listsFreed is the tear-down of two ends that have a buffer.
var listsFreed = strings.Fields("free_buffer free_buffer close_device close_device free_device_list free_device_list")

// allTorn is the tear-down of two ends that have everything.
var allTorn = strings.Fields("destroy_qp destroy_qp destroy_cq destroy_cq dereg_mr dereg_mr free_buffer free_buffer " +
	"dealloc_pd dealloc_pd close_device close_device free_device_list free_device_list")

// TestHangUp closes the terminal, which tells the tour by SIGHUP, and by the end
// of its input where that signal is ignored: at the start, before a call, at
// full speed. The tour ends and leaves nothing behind.
func TestHangUp(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		at, key  string
		want     []string
	}{
		"start":    {[]string{"TOUR_START=1"}, "Enter starts", "", nil},
		"a call":   {[]string{"TOUR_AT=client/qp_rts"}, "about to happen +Meet 39 of", "", allTorn},
		"together": {[]string{"TOUR_AT=iterate", "TOUR_ITERS=100000000"}, "about to happen +Ping-pong 46 of", " ", allTorn},
	} {
		for _, deaf := range []string{"", "TOUR_DEAF=1"} {
			t.Run(name+deaf, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join(t.TempDir(), "torn")
				tm := onTerminal(t, append(c.settings, "TOUR_TORN="+file, deaf)...)
				tm.Wait(c.at)
				if c.key != "" {
					tm.Type(c.key)
					tm.Wait("running")
				}
				tm.HangUp()
				if s := tm.Status(); s != 1 {
					t.Errorf("it ends with %d", s)
				}
				if got := torn(t, file); !slices.Equal(got, c.want) {
					t.Errorf("%v were torn down, want %v", got, c.want)
				}
			})
		}
	}
}

// TestTerminated ends the tour by a signal wherever it may be.
func TestTerminated(t *testing.T) {
	for name, c := range map[string]struct {
		settings []string
		at, keys string
		then     string
	}{
		"start":    {[]string{"TOUR_START=1"}, "Enter starts", "", ""},
		"a call":   {[]string{"TOUR_AT=client/qp_rts"}, "about to happen +Meet 39 of", "", ""},
		"help":     {[]string{"TOUR_AT=client/qp_rts"}, "about to happen +Meet 39 of", "?", "─ Keys"},
		"search":   {[]string{"TOUR_AT=client/qp_rts"}, "about to happen +Meet 39 of", "/rnr", "rnr"},
		"together": {[]string{"TOUR_AT=iterate", "TOUR_ITERS=100000000"}, "about to happen +Ping-pong 46 of", " ", "running"},
		"the end":  {[]string{"TOUR_ITERS=3"}, "about to happen", "e", "The run is complete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tm := onTerminal(t, c.settings...)
			tm.Wait(c.at)
			tm.Taken()
			if c.keys != "" {
				tm.Type(c.keys)
				tm.Wait(c.then)
			}
			tm.Signal(syscall.SIGTERM)
			if s := tm.Status(); s != 1 {
				t.Errorf("it ends with %d", s)
			}
			tm.Restored()
		})
	}
}

// TestNobodyToStopFor has no shell that could continue it: Ctrl-Z says that it
// does nothing.
func TestNobodyToStopFor(t *testing.T) {
	tm := onTerminal(t)
	tm.Wait("about to happen")
	tm.Type("\x1a")
	tm.Wait("ctrl.z does nothing here")
	tm.Signal(syscall.SIGTSTP)
	tm.Taken()
	tm.Type("\x03")
	if s := tm.Status(); s != 0 {
		t.Errorf("it ends with %d", s)
	}
	tm.Restored()
}

// BenchmarkIdleCPU has a tour that stands still, and looks at the state all the
// time: how much of a processor it takes.
func BenchmarkIdleCPU(b *testing.B) {
	tm := onTerminal(b, "TOUR_AT=client/poll_cq")
	tm.Wait("about to happen +Ping-pong 44 of")
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	<-tick.C // what the last step left to do
	began, used := time.Now(), tm.CPU()
	for b.Loop() {
		<-tick.C
	}
	b.ReportMetric(100*float64(tm.CPU()-used)/float64(time.Since(began)), "%cpu")
}
