package exchange

import (
	"bytes"
	"errors"
	"net"
	"strconv"
	"sync"
	"testing"
)

// serve runs the server's part and returns the client's address.
func serve(t *testing.T, s *Server, reply Address) (Address, error) {
	t.Helper()
	if err := s.Accept(t.Context()); err != nil {
		return Address{}, err
	}
	a, err := s.ReadAddress(t.Context())
	if err != nil {
		return a, err
	}
	if err := s.SendAddress(t.Context(), reply); err != nil {
		return a, err
	}
	return a, s.ReadDone(t.Context())
}

func TestExchange(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "::1", "[::1]", "localhost"} {
		t.Run(host, func(t *testing.T) {
			s, port := listen(t, Config{})
			var wg sync.WaitGroup
			wg.Go(func() {
				if a, err := serve(t, s, his); err != nil || a != ours {
					t.Errorf("server: %v, %v", a, err)
				}
			})
			defer wg.Wait()
			defer func() {
				if t.Failed() {
					_ = s.Close()
				}
			}()
			c, err := Config{}.Dial(t.Context(), host, port)
			if err != nil {
				t.Errorf("%v", err)
				return
			}
			defer c.Close()
			if c.RemoteAddr().Port() != uint16(port) || c.LocalAddr().Port() == 0 || c.FD() < 0 {
				t.Errorf("addresses %v → %v, fd %d", c.LocalAddr(), c.RemoteAddr(), c.FD())
			}
			err = c.SendAddress(t.Context(), ours)
			a, err2 := c.ReadAddress(t.Context())
			if err = errors.Join(err, err2, c.SendDone(t.Context())); err != nil || a != his {
				t.Errorf("client: %v, %v", a, err)
			}
			wg.Wait()
			if s.RemoteAddr() != c.LocalAddr() {
				t.Errorf("server sees %v, client is %v", s.RemoteAddr(), c.LocalAddr())
			}
		})
	}
}

// A stock client reads with one read of exactly 52, so must be written to with
// one write; the system may still cut what it sends into pieces.
func TestServerTakesPieces(t *testing.T) {
	for name, chunks := range map[string][]int{
		"whole":              {RecordLen, DoneLen},
		"byte at a time":     bytes1(RecordLen + DoneLen),
		"record and done":    {RecordLen + DoneLen},
		"torn":               {1, 50, 4, 2},
		"done with the tail": {51, 6},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := listen(t, Config{})
			n := rawClient(t, "127.0.0.1", s)
			go func() {
				all := []byte(goldenRecord + done)
				for _, c := range chunks {
					_, _ = n.Write(all[:c])
					all = all[c:]
				}
			}()
			if a, err := serve(t, s, his); err != nil || a != ours {
				t.Errorf("%v, %v", a, err)
			}
			buf := make([]byte, 100)
			if k, err := n.Read(buf); err != nil || !bytes.Equal(buf[:k], his.Append(nil)) {
				t.Errorf("client read %q, %v", buf[:k], err)
			}
		})
	}
}

func bytes1(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

func TestClientTakesPieces(t *testing.T) {
	port, _ := rawServer(t, func(n *net.TCPConn) {
		buf := make([]byte, 100)
		if k, err := n.Read(buf); err != nil || string(buf[:k]) != goldenRecord {
			t.Errorf("server read %q, %v", buf[:k], err)
		}
		for _, b := range his.Append(nil) {
			_, _ = n.Write([]byte{b})
		}
		if k, err := n.Read(buf); err != nil || string(buf[:k]) != done {
			t.Errorf("server read %q, %v", buf[:k], err)
		}
	})
	c, err := Config{}.Dial(t.Context(), "127.0.0.1", port)
	must(t, err)
	defer c.Close()
	must(t, c.SendAddress(t.Context(), ours))
	a, err := c.ReadAddress(t.Context())
	if err != nil || a != his {
		t.Errorf("%v, %v", a, err)
	}
	must(t, c.SendDone(t.Context()))
}

// A whole exchange, and one that fails, leave no descriptor behind.
func TestNoDescriptorLeak(t *testing.T) {
	once := func() {
		s, err := Config{OnStray: func(*PeerError) {}}.Listen(t.Context(), 0)
		must(t, err)
		port := strconv.Itoa(int(s.LocalAddr().Port()))
		stray, err := net.Dial("tcp", "127.0.0.1:"+port)
		must(t, err)
		must(t, stray.Close())
		n, err := net.Dial("tcp", "127.0.0.1:"+port)
		must(t, err)
		_, _ = n.Write([]byte(goldenRecord + "oops!"))
		_, err = serve(t, s, his)
		peerError(t, err, ReadingDone, OtherProgram)
		must(t, errors.Join(n.Close(), s.Close(), s.Close()))
		if s.FD() != -1 {
			t.Errorf("fd %d after Close", s.FD())
		}
		s, err = Config{}.Listen(t.Context(), 0)
		must(t, err)
		must(t, s.Close())
		if err := s.Accept(t.Context()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept after Close: %v", err)
		}
	}
	once() // opens what stays open, such as the poller
	before := openFDs(t)
	for range 20 {
		once()
	}
	if after := openFDs(t); after > before {
		t.Errorf("%d descriptors, %d before", after, before)
	}
}
