package exchange

import (
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

func say(s string) func(*net.TCPConn) {
	return func(n *net.TCPConn) { _, _ = io.WriteString(n, s) }
}

func sayAndClose(s string) func(*net.TCPConn) {
	return func(n *net.TCPConn) { say(s)(n); _ = n.Close() }
}

// reset closes with a RST, as a socket with unread data does.
func reset(n *net.TCPConn) { _ = n.SetLinger(0); _ = n.Close() }

// TestServerPeers is what a server says of clients that are none.
func TestServerPeers(t *testing.T) {
	for name, tt := range map[string]struct {
		peer   func(*net.TCPConn)
		phase  Phase
		likely Likely
		text   string
	}{
		"http":           {say("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), ReadingAddress, HTTP, `received "GET / HTTP/1.1`},
		"tls":            {say("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), ReadingAddress, TLS, `received "\x16\x03\x01`},
		"ssh":            {say("SSH-2.0-OpenSSH_9.2p1\r\n"), ReadingAddress, SSH, "SSH"},
		"perftest":       {say("6.06" + strings.Repeat("\x00", 12)), ReadingAddress, Perftest, "ib_send_lat"},
		"xsrq":           {say("0000:000011:000012:abc123:000003:" + gid32 + "\x00"), ReadingAddress, XSRQPingpong, "byte 25 of"},
		"garbage":        {say(strings.Repeat("\xff", 500)), ReadingAddress, OtherProgram, "byte 0 of"},
		"zero QPN":       {say(Address{}.String() + "\x00"), ReadingAddress, OtherProgram, "no RC queue pair"},
		"scan":           {sayAndClose(""), ReadingAddress, ClientGone, "after 0 of 52 bytes; the client went away"},
		"scan, reset":    {reset, ReadingAddress, ClientGone, "the client went away"},
		"half a record":  {sayAndClose(goldenRecord[:30]), ReadingAddress, ClientGone, `after 30 of 52 bytes ("0000:000011:`},
		"silent":         {say(""), ReadingAddress, PeerSilent, "may be paused or stopped"},
		"stuck":          {say(goldenRecord[:30]), ReadingAddress, PeerStuck, "nothing more was received for "},
		"no done":        {sayAndClose(goldenRecord), ReadingDone, ClientStopped, "after 0 of 5 bytes; the client failed"},
		"half a done":    {sayAndClose(goldenRecord + "don"), ReadingDone, ClientStopped, `after 3 of 5 bytes ("don")`},
		"silent at done": {say(goldenRecord), ReadingDone, PeerSilent, `reading "done" of 127.0.0.1:`},
		"other done":     {say(goldenRecord + "byebye"), ReadingDone, OtherProgram, `("byeby")`},
		"srq":            {say(strings.Repeat(goldenRecord, 256)), ReadingDone, SRQPingpong, "ibv_srq_pingpong"},
	} {
		t.Run(name, func(t *testing.T) {
			patience := Patience{}
			if tt.likely == PeerSilent || tt.likely == PeerStuck {
				patience.Limit = soon
			}
			s, _ := listen(t, Config{Patience: patience})
			tt.peer(rawClient(t, "127.0.0.1", s))
			_, err := serve(t, s, his)
			peerError(t, err, tt.phase, tt.likely)
			if !strings.Contains(err.Error(), tt.text) || strings.Contains(err.Error(), "\n") {
				t.Errorf("text %q lacks %q", err, tt.text)
			}
		})
	}
}

// A client that closes with unread data resets the connection.
func TestClientResetsInsteadOfDone(t *testing.T) {
	s, _ := listen(t, Config{})
	n := rawClient(t, "::1", s)
	say(goldenRecord)(n)
	must(t, s.Accept(t.Context()))
	_, err := s.ReadAddress(t.Context())
	must(t, err)
	reset(n)
	err = s.ReadDone(t.Context())
	peerError(t, err, ReadingDone, ClientStopped)
}

// TestClientPeers is what a client says of servers that are none, or fail.
func TestClientPeers(t *testing.T) {
	read52 := func(then func(*net.TCPConn)) func(*net.TCPConn) {
		return func(n *net.TCPConn) {
			_, _ = io.ReadFull(n, make([]byte, RecordLen))
			then(n)
		}
	}
	for name, tt := range map[string]struct {
		peer   func(*net.TCPConn)
		likely Likely
		text   string
	}{
		"fails at RTR":    {read52(sayAndClose("")), ServerFailed, "closed by the peer after 0 of 52 bytes; the server closed the connection without answering"},
		"killed":          {read52(reset), ServerBusy, "ECONNRESET (connection reset by peer)"},
		"half a record":   {read52(sayAndClose(goldenRecord[:9])), OtherProgram, "after 9 of 52 bytes"},
		"http server":     {read52(say("HTTP/1.1 400 Bad Request\r\n")), HTTP, "HTTP/1.1 400"},
		"perftest server": {read52(say("6.06" + strings.Repeat("\x00", 12))), Perftest, "perftest"},
		"ssh server":      {say("SSH-2.0-OpenSSH_9.2p1\r\n"), SSH, "SSH"},
		"xsrq server":     {say("0000:000011:000012:abc123:000003:" + gid32 + "\x00"), XSRQPingpong, "xsrq"},
		"silent":          {read52(func(n *net.TCPConn) { _, _ = n.Read(make([]byte, 1)) }), PeerSilent, "may be paused"},
	} {
		t.Run(name, func(t *testing.T) {
			port, _ := rawServer(t, tt.peer)
			patience := Patience{}
			if tt.likely == PeerSilent {
				patience.Limit = soon
			}
			c, err := Config{Patience: patience}.Dial(t.Context(), "127.0.0.1", port)
			must(t, err)
			defer c.Close()
			must(t, c.SendAddress(t.Context(), ours))
			_, err = c.ReadAddress(t.Context())
			peerError(t, err, ReadingAddress, tt.likely)
			if !strings.Contains(err.Error(), tt.text) {
				t.Errorf("text %q lacks %q", err, tt.text)
			}
		})
	}
}

// A listener with a second client in its queue resets it when it closes.
func TestServerIsBusy(t *testing.T) {
	s, port := listen(t, Config{})
	first := rawClient(t, "127.0.0.1", s)
	second, err := Config{}.Dial(t.Context(), "127.0.0.1", port)
	must(t, err)
	defer second.Close()
	must(t, second.SendAddress(t.Context(), ours))
	say(goldenRecord + done)(first)
	_, err = serve(t, s, his)
	must(t, err)
	_, err = second.ReadAddress(t.Context())
	peerError(t, err, ReadingAddress, ServerBusy)
	_, err = Config{}.Dial(t.Context(), "127.0.0.1", port)
	peerError(t, err, Dialing, NoServer) // the port is closed
}

func TestServerGoneBeforeDone(t *testing.T) {
	read := make(chan struct{})
	port, served := rawServer(t, func(n *net.TCPConn) {
		say(goldenRecord)(n)
		<-read
		reset(n)
	})
	c, err := Config{}.Dial(t.Context(), "127.0.0.1", port)
	must(t, err)
	defer c.Close()
	_, err = c.ReadAddress(t.Context())
	must(t, err)
	close(read)
	<-served
	// The reset has come once a read has returned it.
	if _, err := c.conn.net.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Skipf("this system does not report the reset: %v", err)
	}
	peerError(t, c.SendDone(t.Context()), SendingDone, ServerGone)
}

func TestPeerHostVanished(t *testing.T) {
	c := newConn(Config{}, client, deadHost{})
	_, err := c.readAddress(t.Context())
	peerError(t, err, ReadingAddress, PeerVanished)
}

// deadHost is a connection whose keepalive probes were not answered.
type deadHost struct{ net.Conn }

func (deadHost) Read([]byte) (int, error) { return 0, &net.OpError{Op: "read", Err: syscall.ETIMEDOUT} }

func (deadHost) RemoteAddr() net.Addr            { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: Port} }
func (deadHost) SetReadDeadline(time.Time) error { return nil }
