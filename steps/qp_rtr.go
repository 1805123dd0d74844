package steps

import (
	"context"

	"ibtour/verbs"
)

// qpRTR tells the queue pair who its peer is. It can receive from now on.
func qpRTR(_ context.Context, e *End) error {
	attr := verbs.QPAttr{
		State:           verbs.QPSRTR,
		PathMTU:         e.MTU,
		DestQPN:         e.Peer.QPN,
		RQPSN:           e.Peer.PSN,
		MaxDestRDAtomic: 1,
		MinRNRTimer:     12, // 0.64 ms
		AH: verbs.AHAttr{
			DLID: e.Peer.LID, SL: uint8(e.Opts.SL), PortNum: uint8(e.Opts.IBPort),
		},
	}
	if err := e.addRoute(&attr.AH); err != nil {
		return err
	}
	err := e.QP.Modify(attr, verbs.AttrState|verbs.AttrAV|verbs.AttrPathMTU|verbs.AttrDestQPN|
		verbs.AttrRQPSN|verbs.AttrMaxDestRDAtomic|verbs.AttrMinRNRTimer)
	return withRoute(err, e)
}
