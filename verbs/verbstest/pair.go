package verbstest

import (
	"testing"
	"time"

	"ibtour/verbs"
)

// Pair opens a device of the driver and returns two connected nodes on it,
// both in RTS. Everything is closed when the test ends.
func Pair(t testing.TB, d verbs.Driver, cfg Config) (a, b *Node) {
	t.Helper()
	ctx := Open(t, d, cfg.Device)
	a, b = NewNode(t, ctx, cfg), NewNode(t, ctx, cfg)
	b.PSN = 0x123456
	a.Connect(b)
	b.Connect(a)
	return a, b
}

// pause lets others run between two polls. A timer, not a busy loop: with the
// clock of testing/synctest it moves the time on.
func pause() { <-time.After(20 * time.Microsecond) }
