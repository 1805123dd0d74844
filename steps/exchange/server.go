package exchange

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strconv"
	"sync"

	"ibtour/verbs/trace"
)

// Server is the end that waits for the other. Its calls are made in the order
// Listen, Accept, ReadAddress, SendAddress, ReadDone, Close, by one goroutine
// at a time; the addresses may be asked for, and Close called, at any time.
//
// It serves one client per run, like the original, but it goes on listening
// until a client has delivered its address: a port scan does not end a lab
// exercise. Connections are taken one after the other.
type Server struct {
	cfg  Config
	port string

	mu   sync.Mutex
	ln   *net.TCPListener // nil after the address has come
	conn *conn            // nil until Accept
	gone bool             // Close was called
}

// ErrNotConnected is returned by the calls that need a client before Accept.
var ErrNotConnected = errors.New("no client has connected yet")

// Listen opens the TCP port on all addresses, IPv6 and IPv4 with one socket
// where the system can. Port 0 takes any free one.
//
// PortInUse: another server listens there. PortForbidden: it is below 1024.
func (c Config) Listen(ctx context.Context, port int) (*Server, error) {
	if err := c.checkPort(port, 0); err != nil {
		return nil, err
	}
	s := &Server{cfg: c, port: strconv.Itoa(port)}
	args := []trace.Arg{{Name: "sockfd", Value: `"[::]:` + s.port + `"`}, {Name: "backlog", Value: "SOMAXCONN"}}
	err := c.traced("listen", "TCP port "+s.port, args, func() (string, error) {
		lc := net.ListenConfig{KeepAliveConfig: keepAlive}
		ln, err := lc.Listen(ctx, "tcp", ":"+s.port)
		if err != nil {
			return "-1", c.listenFailed(s.port, err)
		}
		s.ln = ln.(*net.TCPListener)
		return "fd " + strconv.Itoa(fdOf(s.ln)), nil
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (c *Config) listenFailed(port string, err error) error {
	e := &PeerError{Phase: Listening, Peer: c.wording().port.With(port), Err: bare(err), lang: c.Lang}
	switch {
	case isInUse(err):
		e.Likely = PortInUse
	case isForbidden(err):
		e.Likely = PortForbidden
	}
	return e
}

// ReadAddress waits for the client's 52 bytes. A connection that was no client
// is closed, reported to Config.OnStray, and the next one is accepted. When
// the address has come the server stops listening.
//
// ErrSilent: the client sent nothing for Patience.Limit; the connection is
// still there and the call may be made again.
func (s *Server) ReadAddress(ctx context.Context) (Address, error) {
	for {
		c := s.current()
		if c == nil {
			return Address{}, ErrNotConnected
		}
		a, err := c.readAddress(ctx)
		if err == nil {
			return a, s.stopListening()
		}
		var pe *PeerError
		if s.cfg.OnStray == nil || !errors.As(err, &pe) || !pe.Likely.stray() {
			return Address{}, err
		}
		s.cfg.OnStray(pe)
		if err := s.Accept(ctx); err != nil {
			return Address{}, err
		}
	}
}

// SendAddress sends this end's address, in one write. The queue pair must be
// in RTS by now: the client may use it at once.
func (s *Server) SendAddress(ctx context.Context, a Address) error {
	c := s.current()
	if c == nil {
		return ErrNotConnected
	}
	return c.sendAddress(ctx, a)
}

// ReadDone waits for the client's closing message. ClientStopped: it never
// came; the client's queue pair may or may not be connected. That the client
// fails to connect its queue pair after this message, nobody can see.
func (s *Server) ReadDone(ctx context.Context) error {
	c := s.current()
	if c == nil {
		return ErrNotConnected
	}
	return c.readDone(ctx)
}

// Close closes the connection and the port, whichever are open. It ends a call
// that waits. A second Close does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	c := s.conn
	again := s.gone
	s.gone = true
	s.mu.Unlock()
	if again {
		return nil
	}
	var err error
	if c != nil {
		err = c.close()
	}
	return errors.Join(err, s.stopListening())
}

// stopListening closes the port, once.
func (s *Server) stopListening() error {
	s.mu.Lock()
	ln := s.ln
	s.ln = nil
	s.mu.Unlock()
	if ln == nil {
		return nil
	}
	return s.cfg.tracedClose(strconv.Itoa(fdOf(ln)), "TCP port "+s.port, ln.Close)
}

func (s *Server) current() *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// LocalAddr returns this end of the connection, or the port while there is none.
func (s *Server) LocalAddr() netip.AddrPort {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.conn != nil:
		return addrPort(s.conn.net.LocalAddr())
	case s.ln != nil:
		return addrPort(s.ln.Addr())
	}
	return netip.AddrPort{}
}

// RemoteAddr returns the client's end of the connection, zero without one.
func (s *Server) RemoteAddr() netip.AddrPort {
	if c := s.current(); c != nil {
		return addrPort(c.net.RemoteAddr())
	}
	return netip.AddrPort{}
}

// FD returns the file descriptor of the connection, -1 without one.
func (s *Server) FD() int {
	if c := s.current(); c != nil {
		return fdOf(c.net)
	}
	return -1
}
