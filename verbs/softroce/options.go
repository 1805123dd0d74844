package softroce

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"strings"

	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// DefaultName is the name of the device.
const DefaultName = "soft0"

// Quirks selects whose reading of the specification the device follows.
type Quirks uint8

// The readings.
const (
	// QuirksNone follows the specification.
	QuirksNone Quirks = iota
	// QuirksRXE deviates as the Linux rxe driver does: retry_cnt 7 never gives
	// up, the path MTU may exceed the port's, lkey equals rkey, a receive
	// buffer that is too small is an operational error, and so on.
	QuirksRXE
)

// Options says how to make the device. The zero value is a good soft0.
type Options struct {
	// Name of the device; empty means DefaultName.
	Name string

	// Addr is the only local address to use. The zero value takes all
	// addresses of the host. Two processes of one host need different ones,
	// such as 127.0.0.1 and 127.0.0.2, since a UDP port has one owner.
	Addr netip.Addr

	// MTU is the active MTU of the port; 0 means MTU1024, what an Ethernet of
	// 1500 bytes carries.
	MTU verbs.MTU

	// Quirks selects the deviations from the specification.
	Quirks Quirks

	// MaxPinned limits the memory that can be registered, in bytes, like
	// ulimit -l. 0 means DefaultMaxPinned; negative: none may be pinned at all.
	MaxPinned int64

	// Rand is the source of keys and queue pair numbers; nil means crypto/rand.
	Rand io.Reader

	// Hook sees every packet before it leaves and may lose, delay, repeat or
	// damage it. nil carries all packets as they are.
	Hook Hook

	// Capture receives every packet as pcapng, with synthesized Ethernet, IP and
	// UDP headers. nil captures nothing.
	Capture io.Writer

	// Trace is called for every packet sent and received, in order, with the
	// device locked: it must be quick and must not call the device. The data of
	// the packet is lent for the call; who keeps it makes a Clone.
	Trace func(trace.Packet)

	// Panicked is called in a goroutine of the device that panics, with the value
	// and the stack, for whoever has to put something in order before the
	// process ends. The device is of no use any more. nil lets the panic go on.
	Panicked func(value any, stack []byte)
}

// ParseName splits a device name with options, such as
// "soft0?quirks=rxe&addr=127.0.0.2&mtu=4096", and returns false if the device
// named is not this one.
func ParseName(s string) (opts Options, ok bool, err error) {
	name, query, _ := strings.Cut(s, "?")
	if name != DefaultName {
		return Options{}, false, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return Options{}, true, fmt.Errorf("device %q: %w", s, err)
	}
	opts.Name = name
	for key, list := range values {
		if err := opts.set(key, list[len(list)-1]); err != nil {
			return Options{}, true, fmt.Errorf("device %q: %w", s, err)
		}
	}
	return opts, true, nil
}

func (o *Options) set(key, value string) (err error) {
	switch key {
	case "quirks":
		if value != "rxe" {
			return fmt.Errorf("quirks=%s: want rxe", value)
		}
		o.Quirks = QuirksRXE
	case "addr":
		o.Addr, err = netip.ParseAddr(value)
	case "mtu":
		o.MTU, err = parseMTU(value)
	default:
		err = fmt.Errorf("unknown option %q, want quirks, addr or mtu", key)
	}
	return err
}

func parseMTU(value string) (verbs.MTU, error) {
	n := 0
	if _, err := fmt.Sscan(value, &n); err != nil {
		return 0, fmt.Errorf("mtu=%s: %w", value, err)
	}
	m, ok := verbs.MTUOf(n)
	if !ok {
		return 0, fmt.Errorf("mtu=%d: want 256, 512, 1024, 2048 or 4096", n)
	}
	return m, nil
}

func (o *Options) rand() io.Reader {
	if o.Rand == nil {
		return rand.Reader
	}
	return o.Rand
}

func (o *Options) mtu() verbs.MTU {
	if o.MTU == 0 {
		return verbs.MTU1024
	}
	return o.MTU
}
