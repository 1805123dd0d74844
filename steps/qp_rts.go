package steps

import (
	"context"

	"ibtour/verbs"
)

// qpRTS gives the queue pair what it needs to send: timers, retries and the
// number of its first packet.
func qpRTS(_ context.Context, e *End) error {
	return e.QP.Modify(verbs.QPAttr{
		State:       verbs.QPSRTS,
		Timeout:     14, // 4.096 µs × 2^14 = 67 ms
		RetryCnt:    7,
		RNRRetry:    7, // for ever
		SQPSN:       e.PSN,
		MaxRDAtomic: 1,
	}, verbs.AttrState|verbs.AttrTimeout|verbs.AttrRetryCnt|verbs.AttrRNRRetry|
		verbs.AttrSQPSN|verbs.AttrMaxQPRDAtomic)
}
