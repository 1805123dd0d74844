package steps

import (
	"context"

	"ibtour/verbs"
)

// createQP makes the send queue, one deep, and the receive queue, in RESET.
func createQP(_ context.Context, e *End) (err error) {
	e.QP, err = e.PD.CreateQP(verbs.QPConfig{
		SendCQ: e.CQ,
		RecvCQ: e.CQ,
		Type:   verbs.QPTRC,
		Cap: verbs.QPCap{
			MaxSendWR: 1, MaxRecvWR: uint32(e.Opts.RxDepth),
			MaxSendSGE: 1, MaxRecvSGE: 1,
		},
	})
	return withLimits(err, e)
}
