//go:build lab

package main

import (
	"net"
	"os/exec"
	"strings"
	"testing"
)

// failure is a command line that must fail with one line that says what, why
// and what to do.
type failure struct {
	name   string
	args   []string
	status int
	says   []string
}

func (f failure) run(t *testing.T, program string, args ...string) {
	t.Helper()
	p := start(t, program, args...)
	if s := p.status(); s != f.status {
		t.Errorf("exit status %d, want %d\n%s%s", s, f.status, p.out.String(), p.errText())
	}
	text := strings.TrimSpace(p.errText())
	if strings.Contains(text, "\n") {
		t.Errorf("more than one line:\n%s", text)
	}
	for _, want := range f.says {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
	nothingLeft(t)
}

func TestErrors(t *testing.T) {
	for _, f := range []failure{
		{"no such device", []string{"-d", "mlx9"}, 3, []string{`"mlx9"`, "there is: rxe0"}},
		{"no such port", []string{"-i", "7", "-d", device}, 1, []string{"qp_init", "EINVAL", "rxe0 has no port 7: it has 1"}},
		{"no such GID", []string{"-g", "77"}, 1, []string{"query_gid", "GID 77", "is empty", "ibtour devices"}},
		{"MTU", []string{"-m", "1500"}, 2, []string{"-m/--mtu 1500", "256, 512, 1024, 2048 or 4096"}},
		{"too deep", []string{"-r", "200000"}, 1, []string{"create_cq", "EINVAL", "at most 32767", "choose -r 32766 or less"}},
		{"message too long", []string{"-s", "9000000"}, 1, []string{"query_port", "rxe0 port 1 carries messages of at most 8388608 bytes, not 9000000"}},
		{"nobody listens", []string{"10.0.0.1"}, 1, []string{"connect", "ECONNREFUSED"}},
		{"no such host", []string{"nosuchhost.invalid"}, 1, []string{"connect", "nosuchhost.invalid"}},
	} {
		t.Run(f.name, func(t *testing.T) { f.run(t, ibtour, append([]string{"auto"}, f.args...)...) })
	}
}

// A larger MTU than the port carries is not an error: it is clamped, and said.
func TestMTUIsClamped(t *testing.T) {
	p := start(t, ibtour, "auto", "-m", "4096", "-n", "5", "-d", device)
	p.succeed(t)
	if want := "path MTU 1024 instead of 4096: the port carries no more"; !strings.Contains(p.out.String(), want) {
		t.Errorf("the output does not say %q:\n%s", want, p.out.String())
	}
}

func TestMemlock(t *testing.T) {
	for limit, says := range map[string][]string{
		"16": {"reg_mr", "ENOMEM", "1048576 bytes", "ulimit -l"},
		"0":  {"reg_mr", "ulimit -l"},
	} {
		f := failure{status: 1, says: says}
		f.runAs(t, "ulimit -l "+limit+" && exec "+ibtour+" auto -s 1048576 -d "+device)
	}
}

// runAs runs a line of shell as the unprivileged user of the lab. libibverbs
// may warn of the low limit on standard error, so the last line counts.
func (f failure) runAs(t *testing.T, line string) {
	t.Helper()
	p := start(t, "su", "learner", "-s", "/bin/sh", "-c", line)
	if s := p.status(); s != f.status {
		t.Errorf("exit status %d, want %d\n%s", s, f.status, p.errText())
	}
	lines := strings.Split(strings.TrimSpace(p.errText()), "\n")
	for _, want := range f.says {
		if last := lines[len(lines)-1]; !strings.Contains(last, want) {
			t.Errorf("%q does not say %q", last, want)
		}
	}
	nothingLeft(t)
}

func TestPortDown(t *testing.T) {
	if out, err := exec.Command("/sbin/ip", "link", "set", "v0", "down").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() {
		for _, line := range [][]string{{"link", "set", "v0", "up"}, {"addr", "replace", "fd00::1/64", "dev", "v0", "nodad"}} {
			if out, err := exec.Command("/sbin/ip", line...).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		}
		eventually(t, "the port to be active and to have its GIDs again", func() bool {
			p := start(t, ibtour, "devices")
			p.succeed(t)
			out := p.out.String()
			return strings.Contains(out, "IBV_PORT_ACTIVE") && strings.Contains(out, "fd00::1") && strings.Contains(out, "10.0.0.1")
		})
	})
	f := failure{status: 1, says: []string{"query_port", "rxe0 port 1 is not active", "its network interface is down"}}
	f.run(t, ibtour, "auto", "-d", device)
}

// A peer without a GID cannot be reached on Ethernet: the original must be
// given -g.
func TestPeerWithoutGID(t *testing.T) {
	server := start(t, ibtour, "auto", "--server", "-d", device)
	listening(t, 18515)
	client := start(t, stock, "10.0.0.1", "-d", device)
	if s := server.status(); s != 1 {
		t.Errorf("exit status %d, want 1", s)
	}
	if text := server.errText(); !strings.Contains(text, "the peer sent no GID") || !strings.Contains(text, "-g INDEX") {
		t.Errorf("the error is %q", text)
	}
	client.status()
	nothingLeft(t)
}

// The original as a server without -g fails after it got our address, and
// hangs up without a word.
func TestPeerFailsBeforeItAnswers(t *testing.T) {
	server := start(t, stock, "-d", device)
	listening(t, 18515)
	f := failure{status: 1, says: []string{"recv_address", "server"}}
	f.run(t, ibtour, "auto", "10.0.0.1", "-d", device)
	server.status()
}

// A peer that goes away after the exchange cannot be noticed by RC while
// nothing is sent to it; --wait limits the patience.
func TestPeerGoneAfterTheExchange(t *testing.T) {
	server := start(t, ibtour, "auto", "--server", "--wait", "2s", "-d", device)
	listening(t, 18515)
	client := startWith(t, silent(t), nil, ibtour, "walk", "--at", "client/qp_rts", "-d", device, "10.0.0.1")
	if s := server.status(); s != 1 {
		t.Errorf("exit status %d, want 1\n%s", s, server.errText())
	}
	if text := server.errText(); !strings.Contains(text, "no message from the peer for 2s") {
		t.Errorf("the error is %q", text)
	}
	_ = client.Process.Kill()
	client.status()
	nothingLeft(t)
}

// A peer that connects and says nothing is waited for as long as --wait says.
func TestSilentPeer(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	f := failure{status: 1, says: []string{"recv_address"}}
	f.run(t, ibtour, "auto", "--wait", "1s", "-p", port, "-d", device, "127.0.0.1")
}
