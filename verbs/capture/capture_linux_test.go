package capture_test

import (
	"bytes"
	"errors"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/vishvananda/netlink"
	"go.uber.org/goleak"

	"ibtour/verbs"
	"ibtour/verbs/capture"
	"ibtour/verbs/softroce"
	"ibtour/verbs/verbstest"
	"ibtour/verbs/wire"
)

// insideEnv marks a test that runs in a network namespace of its own.
const insideEnv = "IBTOUR_CAPTURE_NAMESPACE"

// inside runs the test in a new user and network namespace, where every user
// may capture and nobody else sends, and returns true there. It returns false
// outside, after the test ended in there.
func inside(t *testing.T) bool {
	t.Helper()
	if os.Getenv(insideEnv) != "" {
		lo, err := netlink.LinkByName("lo")
		if err == nil {
			err = netlink.LinkSetUp(lo)
		}
		if err != nil {
			t.Fatal(err)
		}
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.count", "1")
	cmd.Env = append(os.Environ(), insideEnv+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("SKIPPED: there is no capturing without a namespace: %v (kernel.unprivileged_userns_clone)", err)
	}
	if err != nil || !bytes.Contains(out, []byte("PASS")) {
		t.Errorf("in its namespace: %v\n%s", err, out)
	}
	return false
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seen collects what a capture sees.
type seen struct {
	mu   sync.Mutex
	all  []capture.Datagram
	sent []bool
	at   []time.Time
	off  []bool
	file *capture.File
}

func (s *seen) frame(f capture.Frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := capture.Parse(bytes.Clone(f.IP))
	if err != nil {
		panic(err)
	}
	s.all, s.sent, s.at, s.off = append(s.all, d), append(s.sent, f.Sent), append(s.at, f.At), append(s.off, f.Offloaded)
	if s.file != nil {
		s.file.WriteIP(f.IP, f.At)
	}
}

// count returns how many packets there were.
func (s *seen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

func open(t *testing.T, s *seen) *capture.Capture {
	t.Helper()
	c, err := capture.Open("lo", s.frame)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patient says that a busy machine must not make a queue pair send again.
var patient = verbstest.Config{Attr: verbs.QPAttr{Timeout: 21}, Mask: verbs.AttrTimeout} // 8.6 s

// pair connects two devices over the loopback interface.
func pair(t *testing.T, cfg verbstest.Config) (a, b *verbstest.Node) {
	t.Helper()
	on := func(addr string) verbs.Driver {
		return softroce.New(softroce.Options{Addr: netip.MustParseAddr(addr)})
	}
	return verbstest.PairAcross(t, on("127.0.0.1"), on("127.0.0.2"), cfg)
}

// message sends one message and waits until it is acknowledged.
func message(a, b *verbstest.Node, size int) {
	b.Recv(1, 0, 64<<10)
	a.Send(1, 0, size)
	b.Want(b.RecvCQ, 1, verbs.WCSuccess)
	a.Want(a.SendCQ, 1, verbs.WCSuccess)
}

// A message of three packets and its ACK: each is seen as it leaves and as it
// arrives, with a valid ICRC and the PSNs of the queue pair.
func TestCapture(t *testing.T) {
	if !inside(t) {
		return
	}
	var s seen
	var file bytes.Buffer
	var err error
	s.file, err = capture.NewIPFile(&file, "lo")
	must(t, err)
	c := open(t, &s)
	a, b := pair(t, patient)
	began := time.Now()
	message(a, b, 2500)
	must(t, c.Sync())
	stats, err := c.Stats()
	must(t, err)
	must(t, c.Close())

	if len(s.all) != 8 || stats.Packets != 8 || stats.Dropped != 0 {
		t.Fatalf("%d packets were seen, and %+v counted; want 4 both ways", len(s.all), stats)
	}
	want := []struct {
		op  wire.Opcode
		psn wire.PSN
		dst verbs.QPN
	}{
		{wire.OpSendFirst, a.PSN, b.QP.Num()},
		{wire.OpSendMiddle, a.PSN + 1, b.QP.Num()},
		{wire.OpSendLast, a.PSN + 2, b.QP.Num()},
		{wire.OpAck, a.PSN + 2, a.QP.Num()},
	}
	for way, sent := range map[string]bool{"leaving": true, "arriving": false} {
		n := 0
		for i, d := range s.all {
			if s.sent[i] != sent {
				continue
			}
			p, err := wire.Parse(d.Payload)
			if w := want[n]; err != nil || p.Opcode != w.op || p.PSN != w.psn || uint32(p.DestQP) != uint32(w.dst) || d.ICRC() != capture.ICRCValid {
				t.Errorf("%s packet %d is %v, %v, ICRC %v; want %+v", way, n, p.BTH, err, d.ICRC(), w)
			}
			if s.at[i].Before(began) || s.at[i].After(time.Now()) {
				t.Errorf("%s packet %d came at %v, sent after %v", way, n, s.at[i], began)
			}
			// The kernel leaves the UDP checksum to the device, which lo never computes.
			if !s.off[i] || d.Checksum == 0 {
				t.Errorf("%s packet %d: checksum %#x, left to the device: %v", way, n, d.Checksum, s.off[i])
			}
			n++
		}
		if n != len(want) {
			t.Errorf("%d packets are %s, want %d", n, way, len(want))
		}
	}
	readBack(t, &file, s.all)
}

// readBack compares a file with what was seen.
func readBack(t *testing.T, file io.Reader, want []capture.Datagram) {
	t.Helper()
	r, err := pcapgo.NewNgReader(file, pcapgo.DefaultNgReaderOptions)
	must(t, err)
	for i, w := range want {
		b, _, err := r.ReadPacketData()
		must(t, err)
		d, err := capture.Parse(b)
		if err != nil || d.Envelope != w.Envelope || !bytes.Equal(d.Payload, w.Payload) {
			t.Errorf("packet %d of the file is %+v, %v; want %+v", i, d, err, w)
		}
	}
	if _, _, err := r.ReadPacketData(); !errors.Is(err, io.EOF) {
		t.Errorf("the file goes on: %v", err)
	}
	i, err := r.Interface(0)
	if err != nil || i.Name != "lo" {
		t.Errorf("the file names %q, %v", i.Name, err)
	}
}

// A pause passes nothing, and ends.
func TestPause(t *testing.T) {
	if !inside(t) {
		return
	}
	var s seen
	c := open(t, &s)
	a, b := pair(t, patient)
	must(t, c.Pause())
	message(a, b, 10)
	must(t, c.Sync())
	if s.count() != 0 {
		t.Errorf("%d packets were seen in a pause", s.count())
	}
	must(t, c.Resume())
	message(a, b, 10)
	must(t, c.Sync())
	if s.count() != 4 {
		t.Errorf("%d packets were seen after a pause, want 4", s.count())
	}
	must(t, c.Close())
	message(a, b, 10)
	if s.count() != 4 {
		t.Error("packets were seen after Close")
	}
	if err := c.Sync(); err == nil {
		t.Error("Sync of a closed capture has no error")
	}
}

// A reader that is too slow loses packets, and is told how many.
func TestDropped(t *testing.T) {
	if !inside(t) {
		return
	}
	hold, held := make(chan struct{}), make(chan struct{})
	var once sync.Once
	n := uint64(0)
	c, err := capture.Open("lo", func(capture.Frame) {
		once.Do(func() { close(held); <-hold })
		n++
	})
	must(t, err)
	a, b := pair(t, verbstest.Config{})
	const messages = 200 // of 33 packets and an ACK, each seen twice: 13 MB
	for range messages {
		message(a, b, 33*1024)
	}
	<-held
	close(hold)
	must(t, c.Sync())
	stats, err := c.Stats()
	must(t, err)
	if stats.Dropped == 0 || stats.Packets != n+stats.Dropped || stats.Packets < messages*34*2 {
		t.Errorf("%d packets were seen; the kernel counts %+v", n, stats)
	}
	must(t, c.Close())
}

// The errors say what is wrong: no such device, and a device that goes away.
func TestOpenErrors(t *testing.T) {
	if !inside(t) {
		return
	}
	if _, err := capture.Open("nodev0", func(capture.Frame) {}); !errors.Is(err, syscall.ENODEV) {
		t.Errorf("no such device: %v", err)
	}
	must(t, capture.Permitted())
	must(t, netlink.LinkAdd(&netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "gone0"}, PeerName: "gone1"}))
	c, err := capture.Open("gone0", func(capture.Frame) {})
	must(t, err)
	dev, err := netlink.LinkByName("gone0")
	must(t, err)
	must(t, netlink.LinkDel(dev))
	must(t, c.Sync())
	must(t, c.Close())
}

// Who may not capture is told EPERM.
func TestNotPermitted(t *testing.T) {
	if os.Getenv(insideEnv) == "" {
		if os.Getuid() != 0 { // as most are
			if err := capture.Permitted(); !errors.Is(err, syscall.EPERM) {
				t.Errorf("an ordinary user: %v", err)
			}
			return
		}
		cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run", "^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), insideEnv+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("as nobody: %v\n%s", err, out)
		}
		return
	}
	_, err := capture.Open("lo", func(capture.Frame) {})
	if !errors.Is(err, syscall.EPERM) || !errors.Is(capture.Permitted(), syscall.EPERM) {
		t.Errorf("nobody may capture: %v, %v", err, capture.Permitted())
	}
}
