package steps

import (
	"context"
	"net/netip"

	"ibtour/steps/exchange"
)

// meeter is the TCP connection to the peer, whichever end opened it.
type meeter interface {
	SendAddress(context.Context, exchange.Address) error
	ReadAddress(context.Context) (exchange.Address, error)
	LocalAddr() netip.AddrPort
	Close() error
}

// meeting says how this end behaves while the addresses are exchanged. The
// peer may be a tour that a person has paused, so a wait is told of, and
// given up only where Options.Wait says so.
func (e *End) meeting() exchange.Config {
	return exchange.Config{
		Tracer: e.tracer,
		Lang:   e.Opts.Lang,
		OnStray: func(err *exchange.PeerError) {
			e.notify(e.say().stray.With(err))
		},
		Patience: exchange.Patience{
			Limit: e.Opts.Wait,
			Notice: func(w exchange.Waiting) {
				e.notify(w.Text())
			},
		},
	}
}

// hangUp closes the TCP connection. Without one it does nothing.
func (e *End) hangUp() error {
	if e.conn == nil {
		return nil
	}
	conn := e.conn
	e.conn, e.server, e.client = nil, nil, nil
	return conn.Close()
}
