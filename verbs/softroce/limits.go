package softroce

import (
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// Specification constants.
const (
	maxMessage   = 1 << 31 // bytes of one message (IBTA vol. 1, 9.4)
	maxPacket    = 4096    // payload of one packet: the largest path MTU
	psnWindow    = 1 << 23 // half of the PSNs: further apart, none comes before another
	maxRetry     = 7       // retry_cnt and rnr_retry have three bits
	maxTimerCode = 31      // timeout and min_rnr_timer have five bits
	retryForever = 7       // of rnr_retry (IBTA vol. 1, 9.7.5)
	atomicLen    = 8       // bytes of the operand of an atomic (9.4.5)

	firstQPN = 0x10000  // above 16 bits, to find programs that cut the number off
	lastQPN  = 0xFFFFFE // 0xFFFFFF is multicast
)

// Implementation constants.
const (
	// DefaultMaxPinned is how much memory can be registered unless Options say
	// otherwise.
	DefaultMaxPinned = 4 << 30

	maxQP       = 4096
	maxQPWR     = 16384
	maxSGE      = 32
	maxInline   = 512
	maxCQ       = 4096
	maxCQE      = 32767
	maxMR       = 65536
	maxPD       = 4096
	maxRDAtomic = 16
	maxChannels = 1024

	// windowBytes is how much a queue pair may have unacknowledged: no more
	// than what a socket buffer of the usual size holds, since what does not
	// fit is lost. The numbers below bound it in packets.
	windowBytes = 128 << 10
	windowMin   = 32
	windowMax   = 128
	// packetCost is about what a datagram takes of a socket buffer besides its
	// payload.
	packetCost = 512
	// windowParts is how many times an ACK is asked for in a window, so that it
	// does not close during a long message.
	windowParts = 4
	// burst is how many packets one queue pair emits before the next one's turn.
	burst = 64
	// maxQueued is how many packets may wait in memory before no more are made.
	maxQueued = 256

	lingerMin = 20 * time.Millisecond
	lingerMax = 500 * time.Millisecond
)

// rxeMaxRDAtomic is max_qp_rd_atom of the rxe driver.
const rxeMaxRDAtomic = 128

func (d *device) maxRDAtomic() int {
	if d.opts.Quirks == QuirksRXE {
		return rxeMaxRDAtomic
	}
	return maxRDAtomic
}

func (d *device) attr() verbs.DeviceAttr {
	return verbs.DeviceAttr{
		FWVer:           "ibtour",
		NodeGUID:        d.guid,
		SysImageGUID:    d.guid,
		MaxMRSize:       maxMessage,
		PageSizeCap:     pageSize,
		MaxQP:           maxQP,
		MaxQPWR:         maxQPWR,
		MaxSGE:          maxSGE,
		MaxSGERD:        maxSGE,
		MaxCQ:           maxCQ,
		MaxCQE:          maxCQE,
		MaxMR:           maxMR,
		MaxPD:           maxPD,
		MaxQPRDAtom:     d.maxRDAtomic(),
		MaxQPInitRDAtom: d.maxRDAtomic(),
		AtomicCap:       1, // IBV_ATOMIC_HCA: atomic among queue pairs of this device
		MaxPKeys:        1,
		LocalCAAckDelay: 15,
		PhysPortCnt:     1,
	}
}

func (d *device) portAttr() verbs.PortAttr {
	return verbs.PortAttr{
		State:       verbs.PortActive,
		MaxMTU:      verbs.MTU4096,
		ActiveMTU:   d.opts.mtu(),
		GIDTblLen:   len(d.gids),
		MaxMsgSz:    maxMessage,
		PKeyTblLen:  1,
		MaxVLNum:    1,
		ActiveWidth: 1,
		ActiveSpeed: 1,
		PhysState:   verbs.PhysLinkUp,
		LinkLayer:   verbs.LinkEthernet,
	}
}

// rnrWait is how long to wait after an RNR NAK.
func (d *device) rnrWait(t wire.RNRTimer) time.Duration {
	const rxeCode25 = 61410 * time.Microsecond // a typing error of the driver
	if d.opts.Quirks == QuirksRXE && t == 25 {
		return rxeCode25
	}
	return t.Duration()
}
