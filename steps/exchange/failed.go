package exchange

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// failed makes the error of a phase and says what most likely happened.
func (c *conn) failed(ph Phase, want int, waited time.Duration, err error) error {
	e := &PeerError{Phase: ph, Peer: c.peer(), Got: bytes.Clone(c.in), Want: want, Err: bare(err), lang: c.cfg.Lang}
	if errors.Is(err, ErrSilent) {
		e.Waited = waited
	}
	var rec *RecordError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, net.ErrClosed):
	case errors.As(err, &rec):
		e.Likely = whose(c.in)
	case errors.Is(err, ErrNotDone):
		e.Likely = whose(c.in)
		if _, err := ParseAddress(c.in); errors.Is(err, ErrShort) {
			e.Likely = SRQPingpong
		}
	case errors.Is(err, ErrSilent) && len(c.in) == 0:
		e.Likely = PeerSilent
	case errors.Is(err, ErrSilent):
		e.Likely = PeerStuck
	case errors.Is(err, ErrClosed), isReset(err):
		e.Likely = c.left(ph, errors.Is(err, ErrClosed))
	case isHostGone(err), errors.Is(err, os.ErrDeadlineExceeded):
		e.Likely = PeerVanished
	}
	return e
}

// left says why the peer closed the connection in a phase. In good order, with
// a FIN, it closes after it has read what was sent to it; with a RST if it has
// not, or never accepted the connection.
func (c *conn) left(ph Phase, inOrder bool) Likely {
	switch {
	case c.role == server && ph == ReadingAddress:
		return ClientGone
	case c.role == server:
		return ClientStopped
	case ph == SendingDone:
		return ServerGone
	case len(c.in) > 0:
		return OtherProgram
	case inOrder:
		return ServerFailed
	}
	return ServerBusy
}
