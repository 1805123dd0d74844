package wire

import "time"

// RNRTimer is the 5-bit code of how long a requester waits after an RNR NAK
// (IBTA vol. 1, 9.7.5). The receiver chooses it (min_rnr_timer of
// ibv_modify_qp), the sender waits. Code 0 is the longest time, not none.
type RNRTimer uint8

// rnrTimes are the encoded times in units of 10 µs. The Linux rxe driver has
// 6141 for code 25, a typing error.
var rnrTimes = [32]time.Duration{
	65536, 1, 2, 3, 4, 6, 8, 12,
	16, 24, 32, 48, 64, 96, 128, 192,
	256, 384, 512, 768, 1024, 1536, 2048, 3072,
	4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
}

// Duration returns the time the code stands for. Only five bits count.
func (t RNRTimer) Duration() time.Duration { return rnrTimes[t&codeMask] * 10 * time.Microsecond }

// RNRTimerFor returns the code of the shortest time that is not below d; the
// longest, code 0, where none is.
func RNRTimerFor(d time.Duration) RNRTimer {
	for t := RNRTimer(1); t <= codeMask; t++ {
		if t.Duration() >= d {
			return t
		}
	}
	return 0
}
