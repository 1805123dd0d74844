package steps

import (
	"time"

	"ibtour/verbs"
)

// Options are the options of ibv_rc_pingpong, with its defaults.
type Options struct {
	Device  string // -d: name of the device, empty for the first
	IBPort  int    // -i: port of the device, from 1
	TCPPort int    // -p: port of the address exchange
	Host    string // the server to connect to, for a client alone
	Size    int    // -s: bytes of a message
	MTU     int    // -m: path MTU in bytes
	RxDepth int    // -r: receives to keep posted
	Iters   int    // -n: round trips
	SL      int    // -l: service level
	GIDIdx  int    // -g: index of the GID table, below 0 to choose one
	Events  bool   // -e: sleep until there is a completion
	Check   bool   // -c: validate every byte of every message

	// Wait is how long to wait for the peer before giving up; 0 is for ever.
	Wait time.Duration

	// Walk makes the first iteration a step for every verb. Without it all
	// iterations run at full speed.
	Walk bool

	// Lang is the language of titles, notices and errors: "en" or "zh"; empty
	// means English.
	Lang string
}

// DefaultOptions returns what ibv_rc_pingpong does without any option.
func DefaultOptions() Options {
	return Options{
		IBPort: 1, TCPPort: 18515, Size: 4096, MTU: 1024, RxDepth: 500, Iters: 1000, GIDIdx: -1,
	}
}

// The limits of the options: those of the verbs, and of a TCP port.
const (
	maxIBPort  = 255
	maxTCPPort = 65535
	maxSL      = 15
	maxSize    = 1 << 31 // IBTA vol. 1, 9.4: the largest message
	maxGIDIdx  = 255     // sgid_index is 8 bits wide
	maxDepth   = 1 << 20 // far above any device; a typing error beyond
)

// Validate reports the first option that cannot be meant: what, why, what to do.
func (o *Options) Validate() error {
	say := wordingIn(o.Lang)
	checks := []struct {
		name          string
		value, lo, hi int
		why           string
	}{
		{name: "-i/--ib-port", value: o.IBPort, lo: 1, hi: maxIBPort, why: say.whyIBPort},
		{name: "-p/--port", value: o.TCPPort, lo: 1, hi: maxTCPPort, why: say.whyTCPPort},
		{name: "-s/--size", value: o.Size, lo: 1, hi: maxSize, why: say.whySize},
		{name: "-r/--rx-depth", value: o.RxDepth, lo: 1, hi: maxDepth, why: say.whyDepth},
		{name: "-n/--iters", value: o.Iters, lo: 1, hi: 1 << 40, why: say.whyIters},
		{name: "-l/--sl", value: o.SL, lo: 0, hi: maxSL, why: say.whySL},
		{name: "-g/--gid-idx", value: o.GIDIdx, lo: -1, hi: maxGIDIdx, why: say.whyGID},
	}
	for _, c := range checks {
		if c.value < c.lo || c.value > c.hi {
			return say.outside.Err(c.name, c.value, c.lo, c.hi, c.why)
		}
	}
	if _, ok := verbs.MTUOf(o.MTU); !ok {
		return say.noMTU.Err(o.MTU)
	}
	return nil
}
