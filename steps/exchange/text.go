package exchange

import (
	"errors"
	"fmt"
	"time"
)

// All English sentences for people are in this file.

// Text returns what most likely happened and what to do, as the end of a
// sentence. Unknown has no text.
func (l Likely) Text() string { return likelyText[l] }

var likelyText = map[Likely]string{
	NoServer:         "the host answers but no server listens on this port: start the server first, and check the port (-p)",
	HostUnknown:      "no such host: check the spelling, or give its IP address",
	NameServerSilent: "the name server did not answer: give the IP address of the host",
	Unreachable:      "this machine has no route to the host, or the host is down",
	ConnectTimedOut:  "the host did not answer at all: it is down, or a firewall drops packets to this port",
	ZoneMissing:      "a link-local address needs an existing interface behind it, as in fe80::1%eth0",
	PortInUse:        "another server has this port: another ibtour, a pingpong or a perftest program, which all use 18515; end it or take another port (-p) on both sides",
	PortForbidden:    "ports below 1024 are for root: take another port (-p) on both sides",

	PeerSilent:    "the peer is connected but sends nothing: it may be paused or stopped, or be a program with another exchange (ibv_srq_pingpong, perftest)",
	PeerStuck:     "the peer sent the beginning of a message and stopped: it is no ibv_rc_pingpong, or it hangs",
	PeerVanished:  "the peer's host no longer answers: it went down or the network broke",
	ServerFailed:  "the server closed the connection without answering: most likely it could not move its QP to RTR or RTS; its own message says why (often a GID index missing on one side, -g)",
	ServerBusy:    "the server dropped the connection without reading: it serves another client, or was stopped; start it again",
	ServerGone:    "the server went away after it had sent its address",
	ClientGone:    "the client went away before it had sent its address, or was another program (a port scan, a health check)",
	ClientStopped: "the client failed or was interrupted during the exchange; its own message says why. Start both sides again",

	OtherProgram: "this is not a ping-pong: another program uses this port",
	HTTP:         "this is HTTP: a browser, a proxy or a web server uses this port",
	TLS:          "this is TLS: a program with encryption uses this port",
	SSH:          "this is SSH: check host and port",
	Perftest:     "this is a perftest program (ib_send_lat, ib_write_bw, …), which uses the same port but another exchange: use ibtour or ibv_rc_pingpong on both sides",
	SRQPingpong:  "this is ibv_srq_pingpong, which sends many addresses: use ibtour or ibv_rc_pingpong on both sides",
	XSRQPingpong: "this is ibv_xsrq_pingpong, which sends another record: use ibtour or ibv_rc_pingpong on both sides",
}

var phaseText = map[Phase]string{
	Resolving: "looking up", Listening: "listening on", Dialing: "connecting to", Accepting: "waiting for a client on",
	SendingAddress: "sending the address to", ReadingAddress: "reading the address of",
	SendingDone: `sending "done" to`, ReadingDone: `reading "done" of`,
}

// Text returns what is being done, to be followed by a peer or a port.
func (p Phase) Text() string { return phaseText[p] }

// Error returns one line: what was done, with whom, what happened, and what
// most likely was the reason.
func (e *PeerError) Error() string {
	s := e.Phase.Text()
	if e.Peer != "" {
		s += " " + e.Peer
	}
	s += ": " + e.Err.Error()
	if e.Waited > 0 {
		s += fmt.Sprintf(" for %v", e.Waited.Round(time.Second/10))
	}
	var rec *RecordError
	if e.Want > 0 && !errors.As(e.Err, &rec) {
		s += fmt.Sprintf(" after %d of %d bytes", len(e.Got), e.Want)
		if len(e.Got) > 0 {
			s += " (" + Excerpt(e.Got) + ")"
		}
	}
	if t := e.Likely.Text(); t != "" {
		s += "; " + t
	}
	return s
}

// Text returns the notice for a person who waits.
func (w Waiting) Text() string {
	d := w.Waited.Round(time.Second)
	what := "its address"
	if w.Phase == Accepting {
		return fmt.Sprintf("no client has connected for %v", d)
	}
	if w.Phase == ReadingDone {
		what = `"done"`
	}
	return fmt.Sprintf("%s is connected but has not sent %s for %v: it may be paused or stopped", w.Peer, what, d)
}
