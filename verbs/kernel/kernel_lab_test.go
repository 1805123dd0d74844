//go:build lab && linux

package kernel

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"ibtour/verbs"
)

// These run in the lab VM, on rxe0:
//
//	go test -c -tags lab -o kernel.test ./verbs/kernel
//	.ci/lab/run -a kernel.test -- /lab/kernel.test -test.v -test.bench .

const lab = "rxe0"

// eventually asks again until ok, for 20 seconds at most.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("gave up waiting until %s", what)
		case <-again.C:
		}
	}
}

func mustRead(t *testing.T, pid int) Resources {
	t.Helper()
	r, err := ReadResources(lab, pid)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("ibv_rc_pingpong", append([]string{"-d", lab, "-g", "1"}, args...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(cmd) })
	return cmd
}

func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // it may have ended by itself
	_ = cmd.Wait()
}

// startServer starts a server that waits for its peer, with its queue pair in INIT.
func startServer(t *testing.T, args ...string) (*exec.Cmd, Resources) {
	t.Helper()
	cmd := start(t, args...)
	var r Resources
	eventually(t, "the server has a queue pair in INIT", func() bool {
		r = mustRead(t, cmd.Process.Pid)
		return len(r.QPs) == 1 && r.QPs[0].State == verbs.QPSInit
	})
	// The record is read kind by kind, and the program went on meanwhile.
	return cmd, mustRead(t, cmd.Process.Pid)
}

func TestLabResources(t *testing.T) {
	before := mustRead(t, 0)
	cmd, r := startServer(t, "-e")
	pid := cmd.Process.Pid
	checkServer(t, r, pid)
	if got := mustRead(t, os.Getpid()); got.Objects() != 0 {
		t.Errorf("this process, which has nothing, has %+v", got)
	}
	all := mustRead(t, 0)
	if all.Count("qp") != before.Count("qp")+1 || all.Count("mr") != 1 || all.Count("ctx") != 1 {
		t.Errorf("counts went from %v to %v", before.Summary, all.Summary)
	}
	checkTool(t, all)
	checkServerProcess(t, pid)
	stop(cmd)
	eventually(t, "nothing is left", func() bool { all = mustRead(t, 0); return all.Objects() == 0 })
	if fmt.Sprint(all.Summary) != fmt.Sprint(before.Summary) {
		t.Errorf("counts are %v at the end, were %v", all.Summary, before.Summary)
	}
}

func checkServer(t *testing.T, r Resources, pid int) {
	t.Helper()
	if len(r.Contexts) != 1 || len(r.PDs) != 1 || len(r.MRs) != 1 || len(r.CQs) != 1 || len(r.CMIDs)+len(r.SRQs) != 0 {
		t.Fatalf("server has %+v, want one context, PD, MR, CQ", r)
	}
	ctx, pd, mr, cq, qp := r.Contexts[0], r.PDs[0], r.MRs[0], r.CQs[0], r.QPs[0]
	if want := (Owner{TID: pid, PID: pid}); ctx.Owner != want || pd.Owner != want || mr.Owner != want || cq.Owner != want || qp.Owner != want {
		t.Errorf("owners are %+v, want all %+v", r, want)
	}
	if qp.Type != verbs.QPTRC || qp.Port != 1 || *qp.RQPN != 0 || *qp.PDN != pd.PDN || *qp.PathMig != verbs.MigMigrated {
		t.Errorf("queue pair is %+v", qp)
	}
	if mr.Len != 4096 || *mr.PDN != pd.PDN || *mr.LKey == 0 || *mr.RKey != 0 {
		t.Errorf("memory region is %+v, want 4096 bytes, an lkey and rkey 0", mr)
	}
	if cq.CQE < 501 || cq.Users != 2 || *cq.CtxN != ctx.CtxN || cq.Poll != nil {
		t.Errorf("completion queue is %+v, want 501 entries or more and 2 users", cq)
	}
	if pd.Users != 2 || *pd.CtxN != ctx.CtxN {
		t.Errorf("protection domain is %+v, want 2 users", pd)
	}
}

// checkTool compares with what rdma(8) of iproute2 makes of the same answers.
func checkTool(t *testing.T, r Resources) {
	t.Helper()
	var shown strings.Builder
	for _, kind := range []string{"qp", "cq", "mr", "pd", "ctx", "srq", "cm_id"} {
		out, err := exec.Command("rdma", "-d", "resource", "show", kind).Output()
		if err != nil {
			t.Fatal(err)
		}
		shown.Write(out)
	}
	if got, want := comparableText(rdmaText(r)), comparableText(shown.String()); got != want {
		t.Errorf("record differs from rdma(8)\n got:\n%s\nwant:\n%s", got, want)
	}
}

func checkServerProcess(t *testing.T, pid int) {
	t.Helper()
	p, err := ReadProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if p.Pinned != 4096 || p.Locked != 0 {
		t.Errorf("pinned %d, locked %d; want 4096 and 0", p.Pinned, p.Locked)
	}
	kinds := map[FileKind]int{}
	for _, f := range p.Files {
		kinds[f.Kind]++
	}
	if kinds[FileVerbs] != 1 || kinds[FileEvents] != 2 {
		t.Errorf("files %v, want one of verbs, and of events one of the context and one of the channel", p.Files)
	}
}

func TestLabLink(t *testing.T) {
	want := Link{Device: lab, Port: 1, State: verbs.PortActive, Phys: verbs.PhysLinkUp, Netdev: "v0"}
	got, err := ReadLink(lab, 1)
	got.NetdevIndex = 0
	if err != nil || got != want {
		t.Errorf("link is %+v, %v; want %+v", got, err, want)
	}
	if _, err := ReadLink(lab, 2); !errors.Is(err, verbs.ErrNoDevice) {
		t.Errorf("port 2: %v", err)
	}
	links, err := ReadLinks()
	if err != nil || len(links) != 1 {
		t.Errorf("links are %v, %v", links, err)
	}
	devices, err := ReadDevices()
	if err != nil || len(devices) != 1 || devices[0].Name != lab || devices[0].Protocol != "roce" || devices[0].Ports != 1 {
		t.Errorf("devices are %+v, %v", devices, err)
	}
	if d, err := ReadDriver(lab); err != nil || d != DriverRXE {
		t.Errorf("driver is %v, %v", d, err)
	}
	if s, err := ReadSystem(); err != nil || !s.SharedNetns {
		t.Errorf("system is %+v, %v", s, err)
	}
}

func TestLabGIDs(t *testing.T) {
	all, err := ReadGIDs(nil, lab, 1)
	if err != nil || len(all) != 3 {
		t.Fatalf("GIDs are %v, %v; want three", all, err)
	}
	want := GIDEntry{1, verbs.GIDOf(netip.MustParseAddr("10.0.0.1")), verbs.GIDTypeRoCEv2, "RoCE v2", "v0"}
	if got, err := ReadGID(nil, lab, 1, 1); err != nil || got != want || all[1] != want {
		t.Errorf("GID 1 is %v, %v, in the list %v; want %v", got, err, all[1], want)
	}
	src, ifname, err := RouteSource(netip.MustParseAddr("10.0.0.2"))
	if err != nil || verbs.GIDOf(src) != want.GID || ifname != "v0" {
		t.Errorf("to the other end: from %v through %q, %v", src, ifname, err)
	}
	if src, ifname, err := RouteSource(netip.MustParseAddr("fd00::2")); err != nil || verbs.GIDOf(src) != all[2].GID || ifname != "v0" {
		t.Errorf("to the other end, IPv6: from %v through %q, %v", src, ifname, err)
	}
	if src, _, err := RouteSource(netip.MustParseAddr("10.0.0.1")); err != nil || verbs.GIDOf(src) != want.GID {
		t.Errorf("to itself: from %v, %v", src, err)
	}
	if _, _, err := RouteSource(netip.MustParseAddr("192.0.2.1")); err == nil {
		t.Error("there is a route to nowhere")
	}
	if d, err := ReadNetdev("v0"); err != nil || d.MTU != 1500 || !d.Carrier || d.OperState != "up" || len(d.Addrs) != 3 {
		t.Errorf("v0 is %+v, %v", d, err)
	}
}

func TestLabCounters(t *testing.T) {
	const iterations = 100
	count := fmt.Sprint(iterations)
	before := counter(t, "sent_pkts")
	server, _ := startServer(t, "-n", count, "-s", "64")
	// The queue pair is in INIT before the port is open: a client may be too early.
	var client *exec.Cmd
	eventually(t, "a client ran", func() bool {
		client = exec.Command("ibv_rc_pingpong", "-d", lab, "-g", "1", "-n", count, "-s", "64", "10.0.0.1")
		return client.Run() == nil
	})
	if err := server.Wait(); err != nil {
		t.Error(err)
	}
	// Each end sends each message, and an acknowledgement for each.
	if grown := counter(t, "sent_pkts") - before; grown < 2*iterations {
		t.Errorf("sent_pkts grew by %d, want %d or more", grown, 2*iterations)
	}
	files, err := ReadPortCounters(nil, lab, 1)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := ReadHWCounters(lab, 1)
	if err != nil || len(asked) != len(files.HW) {
		t.Errorf("netlink has %v, %v; sysfs has %v", asked, err, files.HW)
	}
}

func counter(t *testing.T, name string) uint64 {
	t.Helper()
	all, err := ReadHWCounters(lab, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Name == name {
			return c.Value
		}
	}
	t.Fatalf("no counter %s in %v", name, all)
	return 0
}

// BenchmarkLab is what one look costs.
func BenchmarkLab(b *testing.B) {
	for name, read := range map[string]func() error{
		"Resources":    func() error { return second(ReadResources(lab, os.Getpid())) },
		"Link":         func() error { return second(ReadLink(lab, 1)) },
		"HWCounters":   func() error { return second(ReadHWCounters(lab, 1)) },
		"PortCounters": func() error { return second(ReadPortCounters(nil, lab, 1)) },
		"GIDs":         func() error { return second(ReadGIDs(nil, lab, 1)) },
		"GID":          func() error { return second(ReadGID(nil, lab, 1, 1)) },
		"Netdev":       func() error { return second(ReadNetdev("v0")) },
		"Process":      func() error { return second(ReadProcess(os.Getpid())) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
