package kernel

import (
	"errors"
	"net/netip"
	"slices"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// parsers are all parsers, for what must hold for every one.
var parsers = map[string]func([]byte) error{
	"device":  func(b []byte) error { _, err := parseDevice(b); return err },
	"link":    func(b []byte) error { _, err := parseLink(b); return err },
	"system":  func(b []byte) error { _, err := parseSystem(b); return err },
	"summary": func(b []byte) error { _, err := parseSummary(b); return err },
	"context": func(b []byte) error { _, err := parseContexts(b); return err },
	"pd":      func(b []byte) error { _, err := parsePDs(b); return err },
	"mr":      func(b []byte) error { _, err := parseMRs(b); return err },
	"cq":      func(b []byte) error { _, err := parseCQs(b); return err },
	"qp":      func(b []byte) error { _, err := parseQueuePairs(b); return err },
	"srq":     func(b []byte) error { _, err := parseSRQs(b); return err },
	"cmid":    func(b []byte) error { _, err := parseCMIDs(b); return err },
	"counter": func(b []byte) error { _, err := parseCounters(b); return err },
	"driver":  func(b []byte) error { _, err := parseDriver(b); return err },
}

// A message that ends in the middle of an attribute is an error, as the
// outermost attribute says how long it should be.
func TestParseTruncated(t *testing.T) {
	for name, parse := range parsers {
		for _, b := range golden(t, "root", name) {
			if err := parse(b); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			whole := attributeEnds(b)
			for i := 1; i < len(b); i++ {
				if err := parse(b[:i]); err == nil && !whole[i] {
					t.Errorf("%s cut to %d of %d bytes was accepted", name, i, len(b))
				}
			}
		}
	}
}

// attributeEnds returns where cutting leaves only whole outer attributes,
// padding (up to 3 bytes) included or not.
func attributeEnds(b []byte) map[int]bool {
	ends := map[int]bool{}
	for i := 0; i < len(b); {
		size := int(b[i]) + int(b[i+1])<<8
		i += size
		for ends[i] = true; i%4 != 0; i++ {
			ends[i+1] = true
		}
	}
	return ends
}

func TestDriver(t *testing.T) {
	for _, who := range []string{"root", "learner"} {
		d, err := fakeConn(t, who, nil).driver("rxe0")
		if err != nil || d != DriverRXE || d.String() != "rxe" {
			t.Errorf("as %s: the driver of rxe0 is %v, %v", who, d, err)
		}
	}
	if _, err := fakeConn(t, "root", nil).driver("mlx5_0"); !errors.Is(err, verbs.ErrNoDevice) {
		t.Errorf("a device that is not there: %v", err)
	}
	if _, err := fakeConn(t, "root", map[command]syscall.Errno{cmdGetChardev: syscall.EINVAL}).driver("rxe0"); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("an old kernel: %v", err)
	}
	for d, want := range map[Driver]string{1: "mlx5", DriverSIW: "siw", 99: "driver 99"} {
		if d.String() != want {
			t.Errorf("driver %d is %q, want %q", uint32(d), d, want)
		}
	}
}

func TestParseDevice(t *testing.T) {
	got, err := parseDevice(golden(t, "root", "device")[0])
	want := Device{
		Name: "rxe0", Ports: 1, Node: verbs.NodeCA, GUID: 0x000000fffe000001, SystemGUID: 0x000000fffe000001,
		Protocol: "roce",
	}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestParseLink(t *testing.T) {
	got, err := parseLink(golden(t, "root", "link")[0])
	want := Link{Device: "rxe0", Port: 1, State: verbs.PortActive, Phys: verbs.PhysLinkUp, Netdev: "v0", NetdevIndex: 3}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestParseSystem(t *testing.T) {
	got, err := parseSystem(golden(t, "root", "system")[0])
	if want := (System{SharedNetns: true, CopyOnFork: true}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

func TestHWCounters(t *testing.T) {
	all, err := fakeConn(t, "root", nil).counters("rxe0", 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 15 || all[0].Name != "sent_pkts" || all[14].Name != "rdma_recvs" || all[0].Value == 0 {
		t.Errorf("got %v", all)
	}
	if _, err := fakeConn(t, "root", nil).counters("rxe0", 2); err == nil {
		t.Error("port 2 of a device with one port was accepted")
	}
	none := map[command]syscall.Errno{cmdStatGet: syscall.EINVAL}
	if all, err := fakeConn(t, "root", none).counters("rxe0", 1); err != nil || all != nil {
		t.Errorf("driver without counters: %v, %v", all, err)
	}
}

func TestParseCMIDs(t *testing.T) {
	all, err := parseCMIDs(golden(t, "root", "cmid")[0])
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(c CMID) bool { return c.Source.Addr().Is4() })
	want := netip.MustParseAddrPort("10.0.0.1:7174")
	if c := all[i]; c.Source != want || c.State.String() != "LISTEN" || c.Space.String() != "TCP" || c.QPN != nil {
		t.Errorf("got %+v, want one that listens on %v", c, want)
	}
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		CMState(10).String():      "DESTROYING",
		CMState(11).String():      "CMState(11)",
		PollContext(2).String():   "WORKQUEUE",
		SRQType(2).String():       "TM",
		PortSpace(0x13f).String(): "IB",
		PortSpace(0x7).String():   "PortSpace(0x0007)",
		FileEvents.String():       "events",
		cmdResGet.String():        "resource counts",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for name := range parsers {
		for _, folder := range []string{"root", "learner"} {
			for _, b := range golden(f, folder, name) {
				f.Add(b)
			}
		}
	}
	f.Fuzz(func(_ *testing.T, b []byte) {
		for _, parse := range parsers {
			_ = parse(b) // whatever it says: it must say it
		}
		_ = parseSockaddr(b)
	})
}
