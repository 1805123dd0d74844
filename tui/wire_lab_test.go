//go:build lab

package tui

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ibtour/steps"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// ibtourProgram is ibtour as the lab test brings it.
const ibtourProgram = "/lab/ibtour"

// peerProgram starts ibtour on soft0 in the network namespace "peer", at the
// other end of the cable.
func peerProgram(t *testing.T, args ...string) (wait func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	args = append([]string{"netns", "exec", "peer", ibtourProgram, "auto", "-d", "soft0", "-n", "3", "-r", "16", "--wait", "60s"}, args...)
	cmd := exec.CommandContext(ctx, "/sbin/ip", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if cmd.ProcessState == nil {
			_ = cmd.Wait() // it has lost its peer
		}
	})
	return func() {
		t.Helper()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the peer: %v\n%s", err, out.String())
		}
	}
}

// TestRXEWire walks a client on rxe0 against soft0 beyond a cable. The packets
// captured are those that the numbers of the queue pairs ask for.
func TestRXEWire(t *testing.T) {
	port := freePort(t)
	wait := peerProgram(t, "--server", "-p", strconv.Itoa(port))
	peerListens(t, port)
	d := newDriver(t, "en", func(c *Config) {
		rxe(c)
		c.Roles, c.Opts.TCPPort, c.Opts.Iters, c.Opts.Host = []steps.Role{steps.Client}, port, 3, "10.0.0.2"
	}, softroce.Options{})
	d.press("e")
	d.until("the end", func() bool { return d.m.hist.over })
	wait()
	if d.m.hist.err != nil {
		t.Fatal(d.m.hist.err)
	}
	c, want := d.m.hist.capture, trace.Capture{State: trace.CaptureOpen, Device: "rxe0", Driver: "rxe", On: "v0"}
	if c.Paused = false; c != want { // it pauses when much was sent again
		t.Errorf("the capture is %+v, want %+v", c, want)
	}
	d.m.overlay = overlayNone
	d.m.goTo(t, "client/repost_recv", true)
	d.m.show(panelWire)
	panelSays(t, d.m, "captured on v0")
	panelSays(t, d.m, "ICRC valid")
	d.m.goTo(t, "client/qp_rts", true)
	assertRoundTrip(t, d, endOf(d.m.look().now, steps.Client).QP)
}

// assertRoundTrip compares the packets of the walked round trip with the
// numbers that the ends exchanged.
func assertRoundTrip(t *testing.T, d *driver, qp *steps.QPState) {
	t.Helper()
	ops := []wire.Opcode{wire.OpSendFirst, wire.OpSendMiddle, wire.OpSendMiddle, wire.OpSendLast}
	got := map[bool][]string{}
	for i := range d.m.hist.wire.rungs {
		r := &d.m.hist.wire.rungs[i]
		sent, came := r.parsed.PSN.Sub(wire.PSN(qp.Attr.SQPSN)), r.parsed.PSN.Sub(wire.PSN(qp.Attr.RQPSN))
		if min(uint32(sent), uint32(came)) >= uint32(len(ops)) {
			continue // a later message
		}
		if r.err != nil || r.p.Captured == nil || r.p.Captured.ICRC != "valid" || r.p.Captured.Missing != 0 {
			t.Errorf("packet %d is %+v, %+v, %v", i, r.parsed.BTH, r.p.Captured, r.err)
			continue
		}
		got[r.p.Sent] = append(got[r.p.Sent], fmt.Sprintf("%v %v to %v ack %v", r.parsed.Opcode, r.parsed.PSN, r.parsed.DestQP, r.parsed.AckReq))
	}
	for _, way := range []struct {
		sent       bool
		psn, acked wire.PSN
		dest       any
	}{
		{true, wire.PSN(qp.Attr.SQPSN), wire.PSN(qp.Attr.RQPSN), qp.Attr.DestQPN},
		{false, wire.PSN(qp.Attr.RQPSN), wire.PSN(qp.Attr.SQPSN), qp.Num},
	} {
		var want []string
		for i, op := range ops {
			want = append(want, fmt.Sprintf("%v %v to %v ack %v", op, way.psn.Add(i), way.dest, i == len(ops)-1))
		}
		want = append(want, fmt.Sprintf("%v %v to %v ack false", wire.OpAck, way.acked.Add(len(ops)-1), way.dest))
		slices.Sort(want) // an ACK may come before the message or after it
		slices.Sort(got[way.sent])
		once := slices.Compact(got[way.sent]) // a slow machine sends again
		if !slices.Equal(once, want) {
			t.Errorf("sent %v:\n%q, want\n%q", way.sent, once, want)
		}
	}
}

// peerListens waits for a TCP port of the other namespace.
func peerListens(t *testing.T, port int) {
	t.Helper()
	want := fmt.Sprintf(":%04X", port)
	for limit := time.After(time.Minute); ; {
		out, err := exec.Command("/sbin/ip", "netns", "exec", "peer", "cat", "/proc/net/tcp", "/proc/net/tcp6").Output()
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(out)) {
			if f := strings.Fields(l); len(f) > 3 && f[3] == "0A" && strings.HasSuffix(f[1], want) {
				return
			}
		}
		select {
		case <-limit:
			t.Fatalf("nothing listens on port %d of the peer", port)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// TestRXEWireLearner: an ordinary user is told what is missing and what to do.
func TestRXEWireLearner(t *testing.T) {
	port := freePort(t)
	peerProgram(t, "--server", "-p", strconv.Itoa(port))
	peerListens(t, port)
	cmd := exec.Command(ibtourProgram, "tour", "-d", "rxe0", "-n", "3", "-r", "16", "-p", strconv.Itoa(port),
		"--lang", "en", "--theme", "dark", "--at", "choose_psn", "10.0.0.2")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 1000, Gid: 1000}}
	d := onDisplay(t, 120, 40, cmd)
	d.wait("about to happen +Meet")
	d.press("7")
	d.wait("setcap cap_net_raw")
	d.press("q")
	d.wait(english.quitLeave)
	d.press(" ")
	d.end()
}
