package verbstest

import (
	"errors"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// Caps says what a device has and how it deviates.
type Caps struct {
	// Config of the nodes: device and GID index.
	Config Config
	// RXE marks the Linux rxe driver, or a device that behaves like it. Where
	// it deviates from the specification the expectation cites the line of the
	// list "rxe deviations and limits" (facts sheet 3, section 14, or 7).
	RXE bool
	// Peer makes the other end of pairs, if it is not to be on the same device,
	// on the device and GID of PeerConfig.
	Peer       verbs.Driver
	PeerConfig Config
	// Run runs one case; nil runs it as it is. The embedded device runs each
	// in a bubble of testing/synctest.
	Run func(t *testing.T, f func(t *testing.T))
}

// Conformance runs every behaviour that all devices share, as subtests.
func Conformance(t *testing.T, d verbs.Driver, deviceName string, caps Caps) {
	t.Helper()
	caps.Config.Device = deviceName
	if caps.Run == nil {
		caps.Run = func(t *testing.T, f func(t *testing.T)) { f(t) } //nolint:thelper // runs a whole case
	}
	for _, group := range [][]behaviour{objectCases, stateCases, postCases, dataCases, errorCases, eventCases} {
		for _, c := range group {
			t.Run(c.name, func(t *testing.T) {
				caps.Run(t, func(t *testing.T) {
					t.Helper()
					c.check(&suite{T: t, drv: d, caps: caps})
				})
			})
		}
	}
}

// behaviour is one row of the table.
type behaviour struct {
	name  string
	check func(s *suite)
}

// suite is what one case works with.
type suite struct {
	*testing.T
	drv  verbs.Driver
	caps Caps
}

// open opens the device.
func (s *suite) open() *verbs.Context {
	s.Helper()
	return Open(s.T, s.drv, s.caps.Config.Device)
}

// pair returns two connected nodes. change adapts their configuration.
func (s *suite) pair(change ...func(*Config)) (a, b *Node) {
	s.Helper()
	cfg := s.caps.Config
	for _, c := range change {
		c(&cfg)
	}
	if s.caps.Peer != nil {
		peer := cfg
		peer.Device, peer.GIDIndex = s.caps.PeerConfig.Device, s.caps.PeerConfig.GIDIndex
		a = NewNode(s.T, Open(s.T, s.drv, cfg.Device), cfg)
		b = NewNode(s.T, Open(s.T, s.caps.Peer, peer.Device), peer)
		Join(a, b)
		return a, b
	}
	return Pair(s.T, s.drv, cfg)
}

// node returns a node whose queue pair is in RESET.
func (s *suite) node(change ...func(*Config)) *Node {
	s.Helper()
	cfg := s.caps.Config
	for _, c := range change {
		c(&cfg)
	}
	return NewNode(s.T, s.open(), cfg)
}

// fails checks that a call failed with one of some errors.
func (s *suite) fails(call string, err error, want ...syscall.Errno) {
	s.Helper()
	for _, w := range want {
		if errors.Is(err, w) {
			return
		}
	}
	s.Errorf("%s: %v, want %v", call, err, want)
}

// works checks that a call succeeded.
func (s *suite) works(call string, err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%s: %v", call, err)
	}
}

// state checks the state of a queue pair.
func (s *suite) state(n *Node, want verbs.QPState) {
	s.Helper()
	attr, err := n.QP.Query(verbs.AttrState)
	s.works("query_qp", err)
	if attr.State != want {
		s.Errorf("state %v, want %v", attr.State, want)
	}
}

// spec returns want for a device that follows the specification, and rxe for
// one that deviates.
func (s *suite) spec(want, rxe verbs.WCStatus) verbs.WCStatus {
	if s.caps.RXE {
		return rxe
	}
	return want
}

// fill writes a pattern and returns a copy of it.
func fill(b []byte, seed byte) []byte {
	for i := range b {
		b[i] = seed + byte(i*7)
	}
	return append([]byte(nil), b...)
}
