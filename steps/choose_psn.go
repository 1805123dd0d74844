package steps

import (
	"context"
	"crypto/rand"
	"encoding/binary"

	"ibtour/verbs"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// choosePSN draws the number of the first packet we send. A late packet of an
// earlier connection then most likely is out of sequence.
func choosePSN(_ context.Context, e *End) error {
	args := []trace.Arg{{Name: "buf", Value: "&psn"}, {Name: "buflen", Value: "4"}, {Name: "flags", Value: "0"}}
	return e.system("getrandom", args, func() (string, error) {
		var b [4]byte
		n, err := rand.Read(b[:])
		e.PSN = verbs.PSN(binary.NativeEndian.Uint32(b[:]) & wire.PSNMask)
		return decimal(n) + ", psn " + e.PSN.String(), err
	})
}
