package exchange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"time"

	"ibtour/verbs/trace"
)

// role is the end of the connection that this process is.
type role uint8

const (
	client role = iota + 1
	server
)

// conn is the TCP connection of either end.
type conn struct {
	cfg  Config
	role role
	net  net.Conn
	fd   string // for the trace
	in   []byte // received of a message that is not complete
}

func newConn(cfg Config, r role, n net.Conn) *conn {
	return &conn{cfg: cfg, role: r, net: n, fd: strconv.Itoa(fdOf(n))}
}

// sendAddress writes the record with a single write.
func (c *conn) sendAddress(ctx context.Context, a Address) error {
	return c.send(ctx, SendingAddress, a.Append(nil))
}

// readAddress waits for the peer's record. A byte that cannot be part of one
// ends the wait at once.
func (c *conn) readAddress(ctx context.Context) (Address, error) {
	b, err := c.receive(ctx, ReadingAddress, RecordLen, func(b []byte) error {
		if _, err := ParseAddress(b); !errors.Is(err, ErrShort) {
			return err
		}
		return nil
	})
	if err != nil {
		return Address{}, err
	}
	return ParseAddress(b)
}

// readDone waits for the client's closing message. The original counts its
// bytes only; to compare them finds a client that sends more addresses.
func (c *conn) readDone(ctx context.Context) error {
	_, err := c.receive(ctx, ReadingDone, DoneLen, func(b []byte) error {
		if !bytes.HasPrefix([]byte(done), b) {
			return ErrNotDone
		}
		return nil
	})
	return err
}

func (c *conn) send(ctx context.Context, ph Phase, b []byte) error {
	args := []trace.Arg{{Name: "fd", Value: c.fd}, {Name: "buf", Value: cText(b)}, {Name: "count", Value: strconv.Itoa(len(b))}}
	return c.cfg.traced("write", c.object(), args, func() (string, error) {
		// The buffers of a new connection are empty: this cannot block for
		// long, whatever the peer does.
		p := Patience{Limit: c.cfg.timeout(), Every: c.cfg.timeout(), Notice: nil}
		n := 0
		err := p.wait(ctx, c.net.SetWriteDeadline, func(time.Duration) {}, func() (err error) {
			n, err = c.net.Write(b)
			return err
		})
		if errors.Is(err, ErrSilent) {
			err = os.ErrDeadlineExceeded
		}
		if err != nil {
			return "-1", c.failed(ph, 0, 0, err)
		}
		return strconv.Itoa(n), nil
	})
}

// receive waits for a message of want bytes. check is asked after each piece
// whether this can still become one. After ErrSilent or the end of ctx the
// call may be repeated: what has come so far is kept.
func (c *conn) receive(ctx context.Context, ph Phase, want int, check func([]byte) error) (b []byte, err error) {
	args := []trace.Arg{{Name: "fd", Value: c.fd}, {Name: "buf", Value: "msg"}, {Name: "count", Value: strconv.Itoa(want)}}
	err = c.cfg.traced("read", c.object(), args, func() (string, error) {
		start := time.Now()
		notice := func(d time.Duration) {
			c.cfg.Patience.notify(Waiting{Phase: ph, Peer: c.peer(), Waited: d, Got: len(c.in), lang: c.cfg.Lang})
		}
		err := c.cfg.Patience.wait(ctx, c.net.SetReadDeadline, notice, func() error { return c.fill(want, check) })
		if err != nil {
			return "-1", c.failed(ph, want, time.Since(start), err)
		}
		b, c.in = c.in, nil
		return strconv.Itoa(len(b)) + ", msg = " + cText(b), nil
	})
	return b, err
}

// fill reads until c.in holds want bytes, never beyond: the next message may
// be right behind.
func (c *conn) fill(want int, check func([]byte) error) error {
	for len(c.in) < want {
		buf := make([]byte, want-len(c.in))
		n, err := c.net.Read(buf)
		if n > 0 {
			c.in = append(c.in, buf[:n]...)
			if err := check(c.in); err != nil {
				return err
			}
			continue
		}
		if errors.Is(err, io.EOF) {
			return ErrClosed
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *conn) close() error {
	return c.cfg.tracedClose(c.fd, c.object(), c.net.Close)
}

func (c *conn) object() string { return "TCP " + c.peer() }

func (c *conn) peer() string { return c.net.RemoteAddr().String() }

// addrPort returns the address of a TCP socket, zero for any other.
func addrPort(a net.Addr) netip.AddrPort {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := t.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}
