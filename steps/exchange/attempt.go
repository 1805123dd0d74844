package exchange

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
)

// timeoutOf makes the several forms of a dialer's timeout one.
func timeoutOf(err error) error {
	var ne net.Error
	if !isTimedOut(err) && errors.As(err, &ne) && ne.Timeout() {
		return os.ErrDeadlineExceeded
	}
	return err
}

// attempt is one address that could not be connected to.
type attempt struct {
	addr netip.Addr
	err  error
}

func (a *attempt) Error() string { return fmt.Sprintf("%v: %v", a.addr, a.err) }

func (a *attempt) Unwrap() error { return a.err }

// likely says why one address could not be connected to.
func (a *attempt) likely() Likely {
	switch {
	case isRefused(a.err):
		return NoServer
	case errors.Is(a.err, os.ErrDeadlineExceeded), isTimedOut(a.err):
		return ConnectTimedOut
	case a.addr.IsLinkLocalUnicast() && a.addr.Is6() && isBadZone(a.err):
		return ZoneMissing
	case isNoRoute(a.err):
		return Unreachable
	}
	return Unknown
}

// attempts are the addresses that were tried, at least one.
type attempts []*attempt

func (as attempts) Error() string { return english.cause(as) }

func (as attempts) Unwrap() []error {
	errs := make([]error, len(as))
	for i, a := range as {
		errs[i] = a
	}
	return errs
}

// likely returns what tells most: a host that refuses is a host that answers.
func (as attempts) likely() Likely {
	for _, l := range []Likely{NoServer, ConnectTimedOut, ZoneMissing, Unreachable} {
		if slices.ContainsFunc(as, func(a *attempt) bool { return a.likely() == l }) {
			return l
		}
	}
	return Unknown
}
