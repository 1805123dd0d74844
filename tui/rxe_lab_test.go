//go:build lab

package tui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/libibverbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

// These tests run in the lab VM as root, on the Soft-RoCE device rxe0.

// rxe offers rxe0 of the kernel.
func rxe(c *Config) {
	c.Devices = func() ([]Device, error) {
		return []Device{{
			Name: "rxe0",
			Open: func(func(trace.Packet)) (verbs.Driver, error) { return libibverbs.Open() },
		}}, nil
	}
}

// walkAll presses the key of the next thing until the run is over, and looks
// at every step once it is done.
func walkAll(t *testing.T, d *driver, look func(v *visit)) {
	t.Helper()
	last := moment{stop: -1, after: true}
	for !d.m.hist.over || d.m.cursor < len(d.m.hist.moments)-1 {
		d.until("the next moment", func() bool {
			return d.ended(last) || d.m.cursor >= 0 && last.before(d.m.current()) && (d.m.held || d.m.current().after || d.m.hist.over)
		})
		if d.ended(last) {
			break
		}
		last = d.m.current()
		v := &d.m.hist.visits[last.stop]
		for p := range panelCount {
			d.m.show(p)
			screenOf(t, d.m)
		}
		if last.after && v.err == nil {
			look(v)
		}
		d.press("space")
	}
	if d.m.hist.err != nil {
		t.Error(d.m.hist.err)
	}
}

var qpLine = regexp.MustCompile(`(?m)^link \S+ lqpn (\d+) .* state (\S+) `)

// rdmaQPs is what rdma resource show qp says of all queue pairs there are.
func rdmaQPs(t *testing.T) map[int]string {
	t.Helper()
	out, err := exec.Command("rdma", "resource", "show", "qp").CombinedOutput()
	if err != nil {
		t.Fatalf("rdma: %v %s", err, out)
	}
	states := map[int]string{}
	for _, m := range qpLine.FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(m[1])
		states[n] = m[2]
	}
	return states
}

// sameAsKernel compares the queue pairs on the screen with those of the
// kernel. The run stands before the next step meanwhile.
func sameAsKernel(t *testing.T, d *driver, v *visit) {
	t.Helper()
	theirs := rdmaQPs(t)
	ours := 0
	for i := range v.after.Ends {
		if q := v.after.Ends[i].QP; q != nil {
			ours++
			if state := q.Attr.State.Short(); theirs[int(q.Num)] != state {
				t.Errorf("after %s QP %d is in %s, rdma resource show has %v", v.id, q.Num, state, theirs)
			}
		} else if b := v.before.Ends[i].QP; b != nil && theirs[int(b.Num)] != "" {
			t.Errorf("after %s QP %d is gone, rdma resource show has %v", v.id, b.Num, theirs)
		}
	}
	d.m.show(panelKernel)
	if s := screenOf(t, d.m); ours > 0 && !strings.Contains(s, english.kernelMatches) {
		t.Errorf("after %s the kernel's record is not beside ours:\n%s", v.id, s)
	}
}

// TestRXEBothEnds walks both ends and compares each step with rdma(8) and
// ibv_devinfo(1).
func TestRXEBothEnds(t *testing.T) {
	d := newDriver(t, "en", rxe, softroce.Options{})
	walkAll(t, d, func(v *visit) {
		sameAsKernel(t, d, v)
		switch v.id {
		case "query_port":
			devinfo(t, d)
		case "reg_mr", "dereg_mr":
			pinned(t, d, v)
		case "poll_cq": // what stays on one device passes no interface
			d.m.show(panelWire)
			panelSays(t, d.m, "both queue pairs are on rxe0")
		}
	})
	if n := len(d.m.hist.wire.rungs); n != 0 || d.m.hist.capture.State != trace.CaptureLoopback {
		t.Errorf("%d packets, %+v", n, d.m.hist.capture)
	}
}

// pinned compares the memory panel with /proc/self/status, read here and now,
// and looks for the kernel's record of each region.
func pinned(t *testing.T, d *driver, v *visit) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	wants := []string{}
	for _, field := range []string{"VmPin", "VmLck"} {
		kb := regexp.MustCompile(field + `:\s+(\d+) kB`).FindStringSubmatch(string(status))
		n, err := strconv.Atoi(kb[1])
		if err != nil {
			t.Fatal(err)
		}
		wants = append(wants, fmt.Sprintf("%s %d B", field, n*1024))
	}
	regions := 0
	for i := range v.after.Ends {
		if e := &v.after.Ends[i]; e.MR != nil {
			regions++
			wants = append(wants, "lkey "+e.MR.LKey.String()+"  "+english.memRecordOf+english.roles[e.Role], english.memPinned)
		}
	}
	if got := v.after.Process.Pinned; got != uint64(regions*4096) {
		t.Errorf("after %s %d regions of a page are registered and %d bytes pinned", v.id, regions, got)
	}
	d.m.show(panelMemory)
	d.m.zoom = true
	defer func() { d.m.zoom = false }()
	s := screenOf(t, d.m)
	for _, want := range wants {
		if !strings.Contains(s, want) {
			t.Errorf("after %s the memory does not say %q:\n%s", v.id, want, s)
		}
	}
}

func devinfo(t *testing.T, d *driver) {
	t.Helper()
	out, err := exec.Command("ibv_devinfo", "-d", "rxe0").CombinedOutput()
	if err != nil {
		t.Fatalf("ibv_devinfo: %v %s", err, out)
	}
	d.m.show(panelObjects)
	s := screenOf(t, d.m)
	mtu := regexp.MustCompile(`active_mtu:\s+(\d+)`).FindStringSubmatch(string(out))
	if !strings.Contains(string(out), "PORT_ACTIVE") || mtu == nil || !strings.Contains(s, "ACTIVE  ETHERNET  mtu "+mtu[1]) {
		t.Errorf("ibv_devinfo says\n%s\nthe screen\n%s", out, s)
	}
}

// TestRXEStockPeer walks one end against the original as the other.
func TestRXEStockPeer(t *testing.T) {
	for _, role := range []steps.Role{steps.Server, steps.Client} {
		t.Run(string(role), func(t *testing.T) {
			port := freePort(t)
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			args := []string{"-d", "rxe0", "-g", "1", "-p", strconv.Itoa(port), "-n", "50", "-r", "16"}
			if role == steps.Server {
				args = append(args, "127.0.0.1")
			}
			peer := exec.CommandContext(ctx, "ibv_rc_pingpong", args...)
			var said strings.Builder
			peer.Stdout, peer.Stderr = &said, &said
			if role == steps.Client {
				if err := peer.Start(); err != nil {
					t.Fatal(err)
				}
			}
			d := newDriver(t, "en", func(c *Config) {
				rxe(c)
				c.Roles, c.Opts.TCPPort, c.Opts.GIDIdx = []steps.Role{role}, port, 1
				if role == steps.Client {
					c.Opts.Host = "127.0.0.1"
				}
			}, softroce.Options{})
			walkAll(t, d, func(v *visit) {
				if role == steps.Server && v.id == "listen" {
					if err := peer.Start(); err != nil {
						t.Fatal(err)
					}
				}
				sameAsKernel(t, d, v)
			})
			if err := peer.Wait(); err != nil {
				t.Errorf("ibv_rc_pingpong: %v\n%s", err, said.String())
			}
		})
	}
}

// TestRXEPty walks the whole program on a pty, by key presses alone, and
// compares the objects on the screen with rdma(8) after each step.
func TestRXEPty(t *testing.T) {
	if _, err := os.Stat(ibtourProgram); err != nil {
		t.Fatal("the program is not here: the lab test brings it")
	}
	d := onDisplay(t, 200, 60, exec.Command(ibtourProgram, "tour", "-d", "rxe0", "-n", "50", "-r", "16",
		"-p", strconv.Itoa(freePort(t)), "--lang", "en", "--theme", "dark"))
	const stops = 60
	for i := 1; i <= stops; i++ {
		// A step without a call is over as soon as it has begun. The others wait
		// with the arrow at their call, or say what would run them.
		done := fmt.Sprintf(`done +\S.* %d of 60`, i)
		d.wait(fmt.Sprintf(`(?s)about to happen +\S[^\n]* %d of 60.*(▸ \w+\(|The key r )|%s`, i, done))
		if !regexp.MustCompile(done).MatchString(d.screen()) {
			d.press(" ")
			d.wait(done)
		}
		d.sameAsRDMA(fmt.Sprintf("after step %d", i))
		if i < stops {
			d.press(" ")
		}
	}
	d.press(" ")
	d.wait("The run is complete")
	d.press("q")
	d.end()
}
