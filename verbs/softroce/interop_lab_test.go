//go:build lab

package softroce_test

import (
	"net/netip"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"ibtour/verbs"
	"ibtour/verbs/libibverbs"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
)

// These tests run in the lab VM: rxe0 is on one end of a veth, and soft0 on
// the other end in the network namespace "peer", since rxe's socket owns port
// 4791 in the first one. Both are opened by this process.

// netns is a driver whose device opens its sockets in another network
// namespace. A socket stays in the namespace it was made in.
type netns struct{ verbs.Driver }

func (n netns) DeviceList() (verbs.List, error) {
	l, err := n.Driver.DeviceList()
	return netnsList{l}, err
}

type netnsList struct{ verbs.List }

func (l netnsList) Open(i int) (dc verbs.DriverContext, err error) {
	within(func() { dc, err = l.List.Open(i) })
	return netnsContext{dc}, err
}

type netnsContext struct{ verbs.DriverContext }

func (c netnsContext) ModifyQP(qp verbs.Handle, a *verbs.QPAttr, mask verbs.AttrMask) (err error) {
	within(func() { err = c.DriverContext.ModifyQP(qp, a, mask) })
	return err
}

// within runs f in the namespace "peer".
func within(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	enter := func(path string) *os.File {
		file, err := os.Open(path)
		if err != nil {
			panic(err)
		}
		return file
	}
	home, away := enter("/proc/thread-self/ns/net"), enter("/var/run/netns/peer")
	defer home.Close()
	defer away.Close()
	if err := unix.Setns(int(away.Fd()), unix.CLONE_NEWNET); err != nil {
		panic(err)
	}
	defer unix.Setns(int(home.Fd()), unix.CLONE_NEWNET)
	f()
}

func soft0Peer(addr string, quirks softroce.Quirks) verbs.Driver {
	return netns{softroce.New(softroce.Options{Addr: netip.MustParseAddr(addr), Quirks: quirks})}
}

func rxe(t *testing.T) verbs.Driver {
	t.Helper()
	d, err := libibverbs.Open()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestInterop runs the conformance suite with rxe0 at one end and soft0, with
// rxe's quirks, at the other, in both roles.
func TestInterop(t *testing.T) {
	for _, c := range []struct {
		name, addr string
		gid        uint8
	}{{"IPv4", "10.0.0.2", 1}, {"IPv6", "fd00::2", 2}} {
		hard, soft := verbstest.Config{Device: "rxe0", GIDIndex: c.gid}, verbstest.Config{Device: "soft0"}
		t.Run(c.name+" to soft0", func(t *testing.T) {
			verbstest.Conformance(t, rxe(t), "rxe0", verbstest.Caps{
				RXE: true, Config: hard, Peer: soft0Peer(c.addr, softroce.QuirksRXE), PeerConfig: soft,
			})
		})
		t.Run(c.name+" to rxe0", func(t *testing.T) {
			verbstest.Conformance(t, soft0Peer(c.addr, softroce.QuirksRXE), "soft0", verbstest.Caps{
				RXE: true, Config: soft, Peer: rxe(t), PeerConfig: hard,
			})
		})
	}
}

// TestWireCasesRXE lets soft0 misbehave towards rxe0.
func TestWireCasesRXE(t *testing.T) {
	soft := func(o softroce.Options) verbs.Driver { return netns{softroce.New(o)} }
	hard := verbstest.Config{Device: "rxe0", GIDIndex: 1}
	runWireCases(t, "10.0.0.2", "10.0.0.1", soft, func() verbs.Driver { return rxe(t) }, hard)
}

// TestStockPingPongRXE plays ibv_rc_pingpong between rxe0 and soft0, which
// follows the specification here, in both roles.
func TestStockPingPongRXE(t *testing.T) {
	for _, c := range []struct {
		name      string
		events    bool
		size, n   int
		softIs1st bool
	}{
		{"1 byte, polling, from rxe0", false, 1, 2000, false},
		{"1 byte, polling, from soft0", false, 1, 2000, true},
		{"4096 bytes, events, from rxe0", true, 4096, 1000, false},
		{"4096 bytes, events, from soft0", true, 4096, 1000, true},
		{"1 MiB, polling", false, 1 << 20, 20, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := verbstest.Config{Channel: c.events, Size: 1 << 20}
			soft := verbstest.NewNode(t, verbstest.Open(t, soft0Peer("10.0.0.2", softroce.QuirksNone), ""), cfg)
			cfg.GIDIndex = 1
			hard := verbstest.NewNode(t, verbstest.Open(t, rxe(t), "rxe0"), cfg)
			if c.softIs1st {
				soft, hard = hard, soft
			}
			playStock(t, hard, soft, c.events, c.size, c.n)
		})
	}
}

// TestLabConformanceOverUDP6 has both ends in the namespace "peer", which has
// two IPv6 addresses; the host of TestConformanceOverUDP6 may have one.
func TestLabConformanceOverUDP6(t *testing.T) {
	a, b := soft0Peer("::1", softroce.QuirksNone), soft0Peer("fd00::2", softroce.QuirksNone)
	verbstest.Conformance(t, a, softroce.DefaultName, verbstest.Caps{Peer: b})
}
