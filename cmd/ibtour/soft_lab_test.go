//go:build lab

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// soft0 in the network namespace "peer", at the other end of the veth, against
// the original on rxe0: two RoCE v2 implementations and a wire between them.

// inPeer prefixes a command line so that it runs in the other namespace.
func inPeer(args ...string) []string {
	return append([]string{"/sbin/ip", "netns", "exec", "peer"}, args...)
}

// softGIDs returns the index in soft0's table, in the other namespace, of the
// addresses of the veth.
func softGIDs(t *testing.T) (v4, v6 int) {
	t.Helper()
	line := inPeer(ibtour, "devices", "--json")
	p := start(t, line[0], line[1:]...)
	p.succeed(t)
	var views []deviceView
	if err := json.Unmarshal(p.out.Bytes(), &views); err != nil {
		t.Fatal(err)
	}
	v4, v6 = -1, -1
	for _, g := range views[len(views)-1].Ports[0].GIDs {
		switch g.GID {
		case "::ffff:10.0.0.2":
			v4 = g.Index
		case "fd00::2":
			v6 = g.Index
		}
	}
	if v4 < 0 || v6 < 0 {
		t.Fatalf("soft0 has no GID of 10.0.0.2 or fd00::2: %+v", views)
	}
	return v4, v6
}

// duel runs the original on rxe0 against a command of ibtour on soft0, which is
// the client or the server.
func duel(t *testing.T, s shape, softGID int, command string, softIsServer bool) {
	t.Helper()
	soft := s
	soft.gid = softGID
	args := strings.Replace(strings.Join(soft.args(), " "), "-d "+device, "-d soft0", 1)
	ours := inPeer(append([]string{ibtour, command, "--wait", "60s"}, strings.Fields(args)...)...)
	if command == "auto" {
		ours = append(ours, "--json")
	}
	var server, client *proc
	if softIsServer {
		ours = append(ours, "--server")
		server = start(t, ours[0], ours[1:]...)
		eventuallyInPeer(t)
		client = start(t, stock, append([]string{"10.0.0.2"}, s.args()...)...)
	} else {
		server = start(t, stock, s.args()...)
		listening(t, 18515)
		ours = append(ours, "10.0.0.1")
		client = start(t, ours[0], ours[1:]...)
	}
	client.succeed(t)
	server.succeed(t)
	for _, p := range []*proc{server, client} {
		if p.Args[0] == stock {
			if out := p.out.String(); !strings.Contains(out, fmt.Sprintf("%d iters in", s.iters)) || strings.Contains(out, "invalid data") {
				t.Errorf("%v: the original prints\n%s", p.Args, out)
			}
		}
	}
}

// eventuallyInPeer waits until the server of the other namespace listens.
func eventuallyInPeer(t *testing.T) {
	t.Helper()
	eventually(t, "port 18515 in the other namespace", func() bool {
		line := inPeer("cat", "/proc/net/tcp", "/proc/net/tcp6")
		out, err := exec.Command(line[0], line[1:]...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(out)) {
			if f := strings.Fields(l); len(f) > 3 && f[3] == "0A" && strings.HasSuffix(f[1], ":4853") {
				return true
			}
		}
		return false
	})
}

// many returns how many iterations there is time for: 10,000, but of the
// largest messages 1000.
func (s shape) many() int {
	switch {
	case !allDay():
		return min(s.iters, 1000)
	case s.size > 1<<16:
		return 1000
	}
	return 10000
}

func TestSoft0AgainstTheOriginal(t *testing.T) {
	rxe4, rxe6 := gids(t)
	soft4, soft6 := softGIDs(t)
	stop := func() {}
	if !allDay() { // thousands of large messages would fill the guest's memory
		stop = tcpdump(t)
	}
	for i, s := range shapes(rxe4, rxe6) {
		softGID := soft4
		if s.gid == rxe6 {
			softGID = soft6
		}
		s.iters = s.many()
		t.Run(s.String(), func(t *testing.T) {
			duel(t, s, softGID, "auto", i%2 == 0)
			if s.iters < 1000 || allDay() {
				duel(t, s, softGID, "auto", i%2 == 1)
			}
		})
	}
	stop()
	nothingLeft(t)
}

// tcpdump records what passes the veth, for tshark to dissect afterwards, until
// stop is called.
func tcpdump(t *testing.T) (stop func()) {
	t.Helper()
	p := start(t, "tcpdump", "-Z", "root", "-i", "v0", "-U", "-w", "/lab/out/soft0-rxe0.pcap", "udp", "port", "4791")
	return func() {
		_ = p.Process.Signal(os.Interrupt)
		p.status()
	}
}

func TestSoft0WalksAgainstTheOriginal(t *testing.T) {
	rxe4, _ := gids(t)
	soft4, _ := softGIDs(t)
	for _, s := range []shape{
		{size: 4096, iters: 3, depth: 500, gid: rxe4},
		{size: 4096, iters: 3, depth: 500, gid: rxe4, events: true, check: true},
	} {
		duel(t, s, soft4, "walk", true)
		duel(t, s, soft4, "walk", false)
	}
}

// A wire that loses and reorders costs time, and nothing else.
func TestSoft0OnABadWire(t *testing.T) {
	rxe4, rxe6 := gids(t)
	soft4, soft6 := softGIDs(t)
	iters := 200
	if allDay() {
		iters = 10000
	}
	for name, netem := range map[string]string{
		"loss":    "loss 1%",
		"reorder": "delay 2ms reorder 75% 50%",
	} {
		t.Run(name, func(t *testing.T) {
			shape4 := shape{size: 4096, iters: iters, depth: 500, gid: rxe4, check: true}
			shape6 := shape{size: 1500, iters: iters, depth: 500, gid: rxe6, events: true}
			badWire(t, netem)
			duel(t, shape4, soft4, "auto", true)
			duel(t, shape6, soft6, "auto", false)
		})
	}
}

// badWire makes both ends of the veth bad, until the end of the test.
func badWire(t *testing.T, netem string) {
	t.Helper()
	for _, line := range []string{"tc qdisc %s dev v0 root netem %s", "ip netns exec peer tc qdisc %s dev v1 root netem %s"} {
		sh := func(what, how string) {
			out, err := exec.Command("bash", "-c", fmt.Sprintf(line, what, how)).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		sh("add", netem)
		t.Cleanup(func() { sh("del", "") })
	}
}

// The GID follows the connection: the address that reaches the peer.
func TestGIDFollowsTheConnection(t *testing.T) {
	for host, gid := range map[string]string{"10.0.0.1": "::ffff:10.0.0.1", "fd00::1": "fd00::1"} {
		server := start(t, ibtour, "auto", "--server", "--json", "-n", "10", "-d", device)
		listening(t, 18515)
		client := start(t, ibtour, "auto", "--json", "-n", "10", "-d", device, host)
		client.succeed(t)
		server.succeed(t)
		for _, p := range []*proc{server, client} {
			if want := fmt.Sprintf("%q: %q", "gid", gid); strings.Count(p.out.String(), want) != 2 {
				t.Errorf("%v does not use %s at both ends:\n%s", p.Args, gid, p.out.String())
			}
		}
	}
}
