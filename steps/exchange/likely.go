package exchange

import (
	"bytes"
	"regexp"
)

//go:generate go run golang.org/x/tools/cmd/stringer@v0.48.0 -linecomment -output enums_string.go -type=Likely,Phase,Reason

// Likely says what most likely happened at the other end. String returns a
// short key that does not change; Text returns the sentence for people.
type Likely uint8

// What may have happened.
const (
	Unknown Likely = iota // unknown

	// Before there is a connection.
	NoServer         // no-server
	HostUnknown      // host-unknown
	NameServerSilent // name-server-silent
	Unreachable      // unreachable
	ConnectTimedOut  // connect-timed-out
	ZoneMissing      // zone-missing
	PortInUse        // port-in-use
	PortForbidden    // port-forbidden

	// A peer that stopped or never started.
	PeerSilent    // peer-silent
	PeerStuck     // peer-stuck
	PeerVanished  // peer-vanished
	ServerFailed  // server-failed
	ServerBusy    // server-busy
	ServerGone    // server-gone
	ClientGone    // client-gone
	ClientStopped // client-stopped

	// A peer that is something else.
	OtherProgram // other-program
	HTTP         // http
	TLS          // tls
	SSH          // ssh
	Perftest     // perftest
	SRQPingpong  // srq-pingpong
	XSRQPingpong // xsrq-pingpong
)

// stray reports whether a server should forget such a connection and wait for
// the next: it was not, or is no longer, a client of the ping-pong.
func (l Likely) stray() bool {
	return l == ClientGone || l == PeerVanished || l >= OtherProgram
}

// The first bytes of other programs.
var (
	httpStart = regexp.MustCompile(`^([A-Z]+ [^ ]+ |HTTP/)`)
	// perftest begins with its version in text, such as 6.06.
	perftestVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+\x00`)
	// Old perftest releases begin with LID:out_reads:QPN:PSN:rkey:address.
	perftestKeys = regexp.MustCompile(`^[0-9a-f]{4}:[0-9a-f]{4}:[0-9a-f]{6}:[0-9a-f]{6,8}:`)
	// ibv_xsrq_pingpong sends LID:QPN:QPN:PSN:SRQN:GID.
	xsrqKeys = regexp.MustCompile(`^[0-9a-f]{4}:[0-9a-f]{6}:[0-9a-f]{6}:[0-9a-f]{6}:`)
)

// whose guesses the program that sent b, which is no address record.
func whose(b []byte) Likely {
	switch {
	case httpStart.Match(b):
		return HTTP
	case len(b) > 1 && b[0] == 0x16 && b[1] == 3: // handshake record, RFC 8446 5.1
		return TLS
	case bytes.HasPrefix(b, []byte("SSH-")):
		return SSH
	case perftestVersion.Match(b), perftestKeys.Match(b):
		return Perftest
	case xsrqKeys.Match(b):
		return XSRQPingpong
	}
	return OtherProgram
}
