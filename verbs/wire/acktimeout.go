package wire

import "time"

// AckTimeout is the 5-bit code of how long a requester waits for an
// acknowledgement before it sends again: 4.096 µs x 2^code (IBTA vol. 1, 9.7.6;
// attribute timeout of ibv_modify_qp). Code 0 means forever.
type AckTimeout uint8

// ackTimeoutUnit is the time of the formula with exponent 0.
const ackTimeoutUnit = 4096 * time.Nanosecond

// Infinite reports whether the requester waits without end.
func (t AckTimeout) Infinite() bool { return t&codeMask == 0 }

// Duration returns the time the code stands for, and 0 if it is infinite. Only
// five bits count. A device may take up to four times as long.
func (t AckTimeout) Duration() time.Duration {
	if t.Infinite() {
		return 0
	}
	return ackTimeoutUnit << (t & codeMask)
}
