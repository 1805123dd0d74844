package exchange

import (
	"context"
	"net"
	"strconv"
	"time"

	"ibtour/verbs/trace"
)

// Accept waits until something connects to the port. Only ctx and Close end
// it, however long it takes; Patience.Notice is called meanwhile. A connection
// from an earlier Accept is closed.
func (s *Server) Accept(ctx context.Context) error {
	s.mu.Lock()
	ln, old := s.ln, s.conn
	s.conn = nil
	s.mu.Unlock()
	if old != nil {
		_ = old.close() // it has failed already
	}
	if ln == nil {
		return s.acceptFailed(net.ErrClosed)
	}
	args := []trace.Arg{{Name: "sockfd", Value: strconv.Itoa(fdOf(ln))}, {Name: "addr", Value: "&addr"}}
	return s.cfg.traced("accept", "TCP port "+s.port, args, func() (string, error) {
		n, err := s.waitForClient(ctx, ln)
		if err != nil {
			return "-1", s.acceptFailed(err)
		}
		c := newConn(s.cfg, server, n)
		if !s.keep(c) {
			_ = n.Close()
			return "-1", s.acceptFailed(net.ErrClosed)
		}
		return c.fd + ", addr = " + strconv.Quote(c.peer()), nil
	})
}

func (s *Server) waitForClient(ctx context.Context, ln *net.TCPListener) (n net.Conn, err error) {
	p := s.cfg.Patience
	p.Limit = 0
	notice := func(d time.Duration) { p.notify(Waiting{Phase: Accepting, Waited: d, lang: s.cfg.Lang}) }
	err = p.wait(ctx, ln.SetDeadline, notice, func() error {
		n, err = ln.Accept()
		return err
	})
	return n, err
}

func (s *Server) acceptFailed(err error) error {
	return &PeerError{Phase: Accepting, Peer: s.cfg.wording().port.With(s.port), Err: bare(err), lang: s.cfg.Lang}
}

// keep stores the connection unless the server has been closed meanwhile.
func (s *Server) keep(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gone {
		s.conn = c
	}
	return !s.gone
}
