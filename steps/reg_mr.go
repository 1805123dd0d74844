package steps

import (
	"context"

	"ibtour/verbs"
)

// regMR lets the adapter reach the buffer: read it, which is always allowed,
// and write received messages to it.
func regMR(_ context.Context, e *End) (err error) {
	e.MR, err = e.PD.RegMR(e.Buffer, verbs.AccessLocalWrite)
	return withMemlock(err, e)
}
