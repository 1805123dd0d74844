package exchange

import (
	"context"
	"net/netip"
	"sync/atomic"
)

// Client is the end that connects to the other. Its calls are made in the
// order Dial, SendAddress, ReadAddress, SendDone, Close, by one goroutine at a
// time; the addresses may be asked for, and Close called, at any time.
type Client struct {
	conn   *conn
	closed atomic.Bool
}

// SendAddress sends this end's address, in one write.
//
// ServerBusy: the server serves another client or was stopped.
func (c *Client) SendAddress(ctx context.Context, a Address) error {
	return c.conn.sendAddress(ctx, a)
}

// ReadAddress waits for the server's 52 bytes, which it sends when its queue
// pair is in RTS.
//
// ServerFailed: it closed the connection instead. ErrSilent: it sent nothing
// for Patience.Limit; the call may be made again.
func (c *Client) ReadAddress(ctx context.Context) (Address, error) {
	return c.conn.readAddress(ctx)
}

// SendDone tells the server that its address has arrived. The server waits for
// this; what becomes of the client's queue pair afterwards it does not learn.
func (c *Client) SendDone(ctx context.Context) error {
	return c.conn.send(ctx, SendingDone, []byte(done))
}

// Close closes the connection. It ends a call that waits. A second Close does
// nothing.
func (c *Client) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	return c.conn.close()
}

// LocalAddr returns this end of the connection.
func (c *Client) LocalAddr() netip.AddrPort { return addrPort(c.conn.net.LocalAddr()) }

// RemoteAddr returns the server's end of the connection.
func (c *Client) RemoteAddr() netip.AddrPort { return addrPort(c.conn.net.RemoteAddr()) }

// FD returns the file descriptor of the connection, -1 once it is closed.
func (c *Client) FD() int { return fdOf(c.conn.net) }
