package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// onKernel makes a recorded run one of the client alone on rxe0, of whose
// packets is known what c says.
func onKernel(t *testing.T, lang string, c trace.Capture) *model {
	t.Helper()
	m := recorded(t, lang, nil)
	m.device, m.roles = Device{Name: "rxe0"}, []steps.Role{steps.Client}
	m.hist.add(&steps.Event{Kind: steps.Captured, Stop: -1, Detail: c})
	m.hist.wire.alone = true
	rungs := m.hist.wire.rungs
	m.hist.wire.rungs = nil
	if c.State != trace.CaptureOpen || c.On == "" {
		return m
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	for i := range rungs {
		p, ours := rungs[i].p, uint32(rungs[0].parsed.DestQP) == uint32(rungs[i].parsed.DestQP)
		p.At, p.Sent = at, ours
		p.Captured = &trace.Captured{On: c.On, ICRC: "valid"}
		m.hist.wire.add(p, rungs[i].stop)
	}
	return m
}

// TestWireSources has the panel for every way in which packets can be seen or
// not: the reason is on the screen, and what to do.
func TestWireSources(t *testing.T) {
	rxe := trace.Capture{State: trace.CaptureOpen, Device: "rxe0", Driver: "rxe", On: "v0", Others: 12, Dropped: 3}
	with := func(change func(*trace.Capture)) trace.Capture {
		c := rxe
		change(&c)
		return c
	}
	for _, s := range []struct {
		name   string
		report trace.Capture
		want   map[string][]string
	}{
		{"captured", rxe, map[string][]string{
			"en": {"captured on v0", "SEND_FIRST PSN", "ICRC valid", "12 of other QPs, not shown", "3 dropped by the capture"},
			"zh": {"在 v0 上抓到", "SEND_FIRST PSN", "ICRC 正确", "另有 12 个属于其他 QP，不显示", "抓包丢失 3 个"},
		}},
		{"refused", with(func(c *trace.Capture) { c.State = trace.CaptureRefused }), map[string][]string{
			"en": {"pass v0 as UDP to port 4791", "CAP_NET_RAW", "sudo setcap cap_net_raw+ep /usr/local/bin/ibtour", "SEND First"},
			"zh": {"经过 v0", "CAP_NET_RAW", "sudo setcap cap_net_raw+ep /usr/local/bin/ibtour", "SEND First"},
		}},
		{"loopback", with(func(c *trace.Capture) { c.State = trace.CaptureLoopback }), map[string][]string{
			"en": {"both queue pairs are on rxe0", "SEND First"}, "zh": {"两个 QP 都在 rxe0 上", "SEND First"},
		}},
		{"adapter", trace.Capture{State: trace.CaptureAdapter, Device: "mlx5_0", Driver: "mlx5"}, map[string][]string{
			"en": {"mlx5_0 is driven by mlx5", "SEND First"}, "zh": {"mlx5_0 由 mlx5 驱动", "SEND First"},
		}},
		{"failed", trace.Capture{State: trace.CaptureFailed, Error: "bind: no such device"}, map[string][]string{
			"en": {"cannot be captured: bind: no such device"}, "zh": {"无法抓到这些包：bind: no such device"},
		}},
		{"not settled", trace.Capture{}, map[string][]string{
			"en": {"No packet has crossed the wire yet.", "settled by its driver"}, "zh": {"还没有包经过线路。", "取决于它的驱动"},
		}},
	} {
		for lang, want := range s.want {
			m := onKernel(t, lang, s.report)
			m.goTo(t, "client/poll_cq", true)
			m.show(panelWire)
			m.zoom = true
			for _, size := range sizes {
				t.Run(fmt.Sprintf("%s_%s_%dx%d", s.name, lang, size.w, size.h), func(t *testing.T) {
					m.w, m.h = size.w, size.h
					screenOf(t, m)
					for _, w := range want {
						panelSays(t, m, w)
					}
				})
			}
		}
	}
}

// panelSays asserts that a text is in the panel, wherever its lines are broken.
func panelSays(t *testing.T, m *model, want string) {
	t.Helper()
	squeezed := strings.NewReplacer(" ", "", "\n", "").Replace
	text := ansi.Strip(strings.Join(m.look().wire(76, 20), "\n"))
	if !strings.Contains(squeezed(text), squeezed(want)) {
		t.Errorf("%q is not in the panel:\n%s", want, text)
	}
}

// What goes to another host has not arrived here, and is not lost for that.
func TestWireAlone(t *testing.T) {
	m := onKernel(t, "en", trace.Capture{State: trace.CaptureOpen, Device: "rxe0", On: "v0"})
	m.w, m.h = 120, 40
	m.goTo(t, "client/poll_cq", true)
	m.show(panelWire)
	if s := screenOf(t, m); strings.Contains(s, "✗") || strings.Contains(s, english.wireLost) {
		t.Errorf("a packet is said to be lost:\n%s", s)
	}
	if !m.hist.wire.rungs[0].p.Sent || m.hist.wire.missing(&m.hist.wire.rungs[0]) {
		t.Error("the first packet is missing")
	}
	// A request of the peer that arrives twice was sent again.
	for _, r := range m.hist.wire.rungs {
		if !r.p.Sent && r.parsed.Opcode.IsRequest() {
			m.hist.wire.add(r.p, r.stop)
			break
		}
	}
	if r := m.hist.wire.rungs[len(m.hist.wire.rungs)-1]; !r.again || m.hist.wire.rungs[0].again {
		t.Errorf("a packet that arrived twice: %+v", r.parsed.BTH)
	}
	m.hist.wire.alone = false
	if !m.hist.wire.missing(&m.hist.wire.rungs[0]) {
		t.Error("with both ends here, a packet that did not arrive is not missing")
	}
}

func TestOneEnd(t *testing.T) {
	for _, roles := range [][]steps.Role{{steps.Server}, {steps.Client}, {steps.Server, steps.Client}} {
		o := testOptions()
		r := steps.Runner{Tour: &steps.RCPingPong, Opts: &o, Roles: roles}
		if got := newHistory(r.Stops()).wire.alone; got != (len(roles) == 1) {
			t.Errorf("%v: alone is %v", roles, got)
		}
	}
}

// A packet says how it was captured, and a wrong ICRC is not overlooked.
func TestWireCapturedPacket(t *testing.T) {
	for lang, cases := range map[string]map[trace.Captured]string{
		"en": {
			{On: "v0", ICRC: "valid"}:                                   "captured on v0 · leaving · 03:04:05.000006 · ICRC valid · no UDP checksum",
			{On: "v0", ICRC: "wrong", Checksum: 0xBEEF}:                 "ICRC wrong · UDP checksum 0xbeef",
			{On: "lo", ICRC: "unchecked", Checksum: 1, Offloaded: true}: "captured on lo · leaving · 03:04:05.000006 · ICRC unchecked · UDP checksum left to the interface",
			{On: "v0", ICRC: "unchecked", Checksum: 0, Missing: 20}:     "no UDP checksum · 20 bytes not captured",
		},
		"zh": {
			{On: "v0", ICRC: "valid"}: "在 v0 上抓到 · 发出 · 03:04:05.000006 · ICRC 正确 · 没有 UDP 校验和",
		},
	} {
		for c, want := range cases {
			m := onKernel(t, lang, trace.Capture{State: trace.CaptureOpen, Device: "rxe0", On: "v0"})
			m.hist.wire.rungs = slices.Clone(m.hist.wire.rungs)
			m.hist.wire.rungs[0].p.Captured = &c
			m.w, m.h = 120, 40
			m.goTo(t, "client/poll_cq", true)
			m.show(panelWire)
			m.zoom, m.packet, m.opened = true, 1, true
			panelSays(t, m, want)
			if r := &m.hist.wire.rungs[0]; r.wrong() != (c.ICRC == "wrong") {
				t.Errorf("%+v is wrong: %v", c, r.wrong())
			}
		}
	}
}
