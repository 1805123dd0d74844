package wire

import (
	"testing"
	"time"
)

func TestRNRTimer(t *testing.T) {
	// In units of 10 µs: the table of the specification restated by its rule.
	// From code 4 on the times double every second code.
	if got := RNRTimer(0).Duration(); got != 655360*time.Microsecond {
		t.Errorf("code 0: %v, want 655.36ms", got)
	}
	for c := RNRTimer(1); c < 32; c++ {
		n := int(c)
		if c >= 4 {
			n = int(2+c&1) << (c/2 - 1)
		}
		if got, want := c.Duration(), time.Duration(n)*10*time.Microsecond; got != want {
			t.Errorf("code %d: %v, want %v", c, got, want)
		}
		if got := RNRTimerFor(c.Duration()); got != c {
			t.Errorf("RNRTimerFor(%v) = %d, want %d", c.Duration(), got, c)
		}
	}
	for c, want := range map[RNRTimer]time.Duration{
		1: 10 * time.Microsecond, 12: 640 * time.Microsecond, 25: 61440 * time.Microsecond,
		31: 491520 * time.Microsecond, 32: 655360 * time.Microsecond, 33: 10 * time.Microsecond,
	} {
		if got := c.Duration(); got != want {
			t.Errorf("code %d: %v, want %v", c, got, want)
		}
	}
}

func TestRNRTimerFor(t *testing.T) {
	for d, want := range map[time.Duration]RNRTimer{
		0:                      1,
		11 * time.Microsecond:  2,
		time.Millisecond:       14,
		491 * time.Millisecond: 31,
		492 * time.Millisecond: 0,
		10 * time.Second:       0,
	} {
		if got := RNRTimerFor(d); got != want {
			t.Errorf("RNRTimerFor(%v) = %d, want %d", d, got, want)
		}
	}
}

func TestAckTimeout(t *testing.T) {
	for c, want := range map[AckTimeout]time.Duration{
		0:  0,
		1:  8192 * time.Nanosecond,
		8:  1048576 * time.Nanosecond,
		14: 67108864 * time.Nanosecond,
		31: 8796093022208 * time.Nanosecond,
		32: 0,
		46: 67108864 * time.Nanosecond,
	} {
		if got := c.Duration(); got != want {
			t.Errorf("code %d: %v, want %v", c, got, want)
		}
		if c.Infinite() != (want == 0) {
			t.Errorf("code %d: infinite %v", c, c.Infinite())
		}
	}
}
