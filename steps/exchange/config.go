package exchange

import (
	"net"
	"time"

	"ibtour/verbs/trace"
)

// Config says how an end of the exchange behaves. The zero value works: it
// waits for ever for the peer, and a stray connection is an error.
type Config struct {
	// Timeout ends a name lookup, a connect or a write. 0: DefaultTimeout.
	Timeout time.Duration
	// Patience is for the peer's messages. Waiting for a client to connect
	// has notices but no limit: only its context ends it.
	Patience Patience
	// OnStray is told of every connection to a server that was no client of
	// the ping-pong: another program, a port scan, a client that went away
	// before it had sent its address. The server then waits for the next. If
	// OnStray is nil, ReadAddress returns the error instead.
	OnStray func(*PeerError)
	// Tracer sees each system call, as C would make it, with the bytes that
	// were sent and received. It may be nil.
	Tracer trace.Tracer
	// Lang is the language of errors and notices: "en" or "zh"; empty means
	// English.
	Lang string
}

func (c *Config) wording() *wording { return wordingIn(c.Lang) }

func (c *Config) timeout() time.Duration {
	if c.Timeout <= 0 {
		return DefaultTimeout
	}
	return c.Timeout
}

// keepAlive finds out within 70 seconds that the peer's host is gone, however
// long either end is paused: the kernel answers the probes, not the program.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 10 * time.Second, Count: 6}

// checkPort refuses what is no TCP port.
func (c *Config) checkPort(port, least int) error {
	if port < least || port > 65535 {
		return c.wording().noPort.Err(port, least)
	}
	return nil
}
