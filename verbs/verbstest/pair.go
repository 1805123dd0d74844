package verbstest

import (
	"testing"
	"time"

	"ibtour/verbs"
)

// Pair opens a device of the driver and returns two connected nodes on it,
// both in RTS. Everything is closed when the test ends.
func Pair(tb testing.TB, d verbs.Driver, cfg Config) (a, b *Node) {
	tb.Helper()
	ctx := Open(tb, d, cfg.Device)
	a, b = NewNode(tb, ctx, cfg), NewNode(tb, ctx, cfg)
	Join(a, b)
	return a, b
}

// PairAcross is Pair with the nodes on devices of two drivers.
func PairAcross(tb testing.TB, da, db verbs.Driver, cfg Config) (a, b *Node) {
	tb.Helper()
	a = NewNode(tb, Open(tb, da, cfg.Device), cfg)
	b = NewNode(tb, Open(tb, db, cfg.Device), cfg)
	Join(a, b)
	return a, b
}

// Join connects two nodes: both go from RESET to RTS.
func Join(a, b *Node) {
	a.t.Helper()
	b.PSN = 0x123456
	a.Connect(b)
	b.Connect(a)
}

// pause lets others run between two polls. A timer, not a busy loop: with the
// clock of testing/synctest it moves the time on.
func pause() { <-time.After(20 * time.Microsecond) }
