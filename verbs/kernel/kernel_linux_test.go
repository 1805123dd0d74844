package kernel

import (
	"errors"
	"net/netip"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// These run on any Linux, with and without RDMA.

const noDevice = "no-such-device"

func TestWithoutDevice(t *testing.T) {
	_, resources := ReadResources(noDevice, os.Getpid())
	_, link := ReadLink(noDevice, 1)
	_, counters := ReadHWCounters(noDevice, 1)
	for what, err := range map[string]error{"ReadResources": resources, "ReadLink": link, "ReadHWCounters": counters} {
		if !errors.Is(err, ErrNoRDMA) && !errors.Is(err, verbs.ErrNoDevice) {
			t.Errorf("%s: %v, want ErrNoRDMA or ErrNoDevice", what, err)
		}
	}
	for what, err := range map[string]error{
		"ReadDevices": second(ReadDevices()), "ReadLinks": second(ReadLinks()), "ReadSystem": second(ReadSystem()),
	} {
		if err != nil && !errors.Is(err, ErrNoRDMA) {
			t.Errorf("%s: %v, want nothing or ErrNoRDMA", what, err)
		}
	}
	for what, err := range map[string]error{
		"ReadPortCounters": second(ReadPortCounters(nil, noDevice, 1)),
		"ReadGIDs":         second(ReadGIDs(nil, noDevice, 1)),
		"ReadGID":          second(ReadGID(nil, noDevice, 1, 0)),
		"ReadNetdev":       second(ReadNetdev(noDevice)),
	} {
		if !errors.Is(err, verbs.ErrNoDevice) || !strings.Contains(err.Error(), noDevice) {
			t.Errorf("%s: %v, want ErrNoDevice with its name", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestReadProcessSelf(t *testing.T) {
	f, err := os.Open("/dev/null")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := ReadProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if p.Resident == 0 {
		t.Errorf("resident memory is 0: %+v", p)
	}
	if want := (File{int(f.Fd()), "/dev/null", FileOther}); !slices.Contains(p.Files, want) {
		t.Errorf("files %v lack %v", p.Files, want)
	}
	var limit syscall.Rlimit
	const memlockResource = 8 // RLIMIT_MEMLOCK on all but alpha, mips and sparc
	if err := syscall.Getrlimit(memlockResource, &limit); err != nil {
		t.Fatal(err)
	}
	if p.MemlockSoft != limit.Cur || p.MemlockHard != limit.Max {
		t.Errorf("limits %d, %d; getrlimit says %d, %d", p.MemlockSoft, p.MemlockHard, limit.Cur, limit.Max)
	}
}

func TestThreadGroupOfSelf(t *testing.T) {
	proc, err := procRoot()
	if err != nil {
		t.Fatal(err)
	}
	if pid := threadGroups(proc)(syscall.Gettid()); pid != os.Getpid() {
		t.Errorf("this thread is of process %d, want %d", pid, os.Getpid())
	}
}

func TestReadNetdevLoopback(t *testing.T) {
	d, err := ReadNetdev("lo")
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "lo" || d.Index != 1 || d.MTU == 0 || !d.Up || !d.Carrier {
		t.Errorf("loopback is %+v", d)
	}
	if want := netip.MustParsePrefix("127.0.0.1/8"); !slices.Contains(d.Addrs, want) {
		t.Errorf("addresses %v lack %v", d.Addrs, want)
	}
}

func TestRouteSource(t *testing.T) {
	for _, dst := range []string{"127.0.0.1", "::ffff:127.0.0.1", "127.1.2.3"} {
		src, ifname, err := RouteSource(netip.MustParseAddr(dst))
		if err != nil || !src.IsLoopback() || !src.Is4() || ifname != "lo" {
			t.Errorf("to %s: from %v through %q, %v", dst, src, ifname, err)
		}
	}
	if _, _, err := RouteSource(netip.Addr{}); err == nil {
		t.Error("no address was accepted")
	}
	if _, _, err := RouteSource(netip.MustParseAddr("fe80::1%" + "nosuchdev0")); err == nil {
		t.Error("a zone that does not exist was accepted")
	}
}
