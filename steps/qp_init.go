package steps

import (
	"context"

	"ibtour/verbs"
)

// qpInit binds the queue pair to a port. From now on receives can be posted.
func qpInit(_ context.Context, e *End) error {
	err := e.QP.Modify(verbs.QPAttr{
		State:       verbs.QPSInit,
		PKeyIndex:   0,
		PortNum:     uint8(e.Opts.IBPort),
		AccessFlags: 0, // the peer may SEND, not READ or WRITE
	}, verbs.AttrState|verbs.AttrPKeyIndex|verbs.AttrPort|verbs.AttrAccessFlags)
	return withPorts(err, e)
}
