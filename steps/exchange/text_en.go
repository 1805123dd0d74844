package exchange

import "ibtour/annotations/words"

var english = wording{
	likely: map[Likely]string{
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
	},
	phases: map[Phase]words.Format{
		Resolving: "looking up %s", Listening: "listening on %s", Dialing: "connecting to %s",
		Accepting: "waiting for a client on %s", SendingAddress: "sending the address to %s",
		ReadingAddress: "reading the address of %s", SendingDone: `sending "done" to %s`, ReadingDone: `reading "done" of %s`,
	},
	reasons: map[Reason]string{
		ErrShort: ErrShort.String(), ErrDigit: ErrDigit.String(), ErrRange: ErrRange.String(),
		ErrEnd: ErrEnd.String(), ErrReserved: ErrReserved.String(),
	},
	because: "%s: %s", waited: " for %v", got: " after %d of %d bytes", excerpt: " (%s)", advice: "; %s", comma: ", ",
	record: "byte %d of the address record (%s): %s; received %s",
	port:   "TCP port %s", peer: "%s port %d", noPort: "TCP port %d does not exist: it must be %d to 65535",
	silent: ErrSilent.Error(), closed: ErrClosed.Error(), notDone: ErrNotDone.Error(), expired: "i/o timeout",

	noClient:  "no client has connected for %v",
	noAddress: "%s is connected but has not sent its address for %v: it may be paused or stopped",
	noDone:    `%s is connected but has not sent "done" for %v: it may be paused or stopped`,
}
