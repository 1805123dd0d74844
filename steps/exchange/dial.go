package exchange

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"ibtour/verbs/trace"
)

// minTry is the least time given to one of several addresses.
const minTry = 2 * time.Second

// Dial connects to a server. host is a name or an IP address, IPv6 also in
// brackets and with a zone (fe80::1%eth0). Every address of a name is tried in
// turn; they share Config.Timeout.
//
// NoServer: nobody listens yet. HostUnknown, Unreachable and ConnectTimedOut
// say what they mean. The error names every address that was tried.
func (c Config) Dial(ctx context.Context, host string, port int) (*Client, error) {
	if err := c.checkPort(port, 1); err != nil {
		return nil, err
	}
	addrs, err := c.resolve(ctx, host, port)
	if err != nil {
		return nil, err
	}
	limit := c.timeout()
	if len(addrs) > 1 {
		limit = max(limit/time.Duration(len(addrs)), min(limit, minTry))
	}
	var failed attempts
	for _, a := range addrs {
		n, err := c.connect(ctx, a, limit)
		if err == nil {
			return &Client{conn: newConn(c, client, n)}, nil
		}
		var a *attempt
		if !errors.As(err, &a) {
			return nil, err // refused by the tracer
		}
		if failed = append(failed, a); ctx.Err() != nil {
			break
		}
	}
	return nil, &PeerError{
		Phase: Dialing, Peer: c.wording().peer.With(host, port), Err: failed, Likely: failed.likely(), lang: c.Lang,
	}
}

// resolve returns the addresses of a host (getaddrinfo).
func (c *Config) resolve(ctx context.Context, host string, port int) (addrs []netip.AddrPort, err error) {
	name := host
	if strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]") {
		name = name[1 : len(name)-1]
	}
	args := []trace.Arg{{Name: "node", Value: strconv.Quote(name)}, {Name: "service", Value: `"` + strconv.Itoa(port) + `"`}}
	err = c.traced("getaddrinfo", host, args, func() (string, error) {
		tctx, cancel := context.WithTimeout(ctx, c.timeout())
		defer cancel()
		ips, err := lookup(tctx, name)
		if err != nil {
			return "-1", c.lookupFailed(ctx, host, err)
		}
		var texts []string
		for _, ip := range ips {
			addrs = append(addrs, netip.AddrPortFrom(ip.Unmap(), uint16(port)))
			texts = append(texts, ip.Unmap().String())
		}
		return strings.Join(texts, ", "), nil
	})
	return addrs, err
}

// lookup asks the resolver. It is spared addresses, of which it would drop the
// zone, and the empty name, which it takes for this host.
func lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	if ip, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{ip}, nil
	}
	if name == "" {
		return nil, &net.DNSError{Err: "empty host name", Name: name, IsNotFound: true}
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
}

func (c *Config) lookupFailed(ctx context.Context, host string, err error) error {
	e := &PeerError{Phase: Resolving, Peer: host, Err: err, lang: c.Lang}
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil:
		e.Err = context.Cause(ctx)
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Err, e.Likely = errors.New(dns.Err), HostUnknown
	default:
		e.Likely = NameServerSilent
	}
	return e
}

func (c *Config) connect(ctx context.Context, a netip.AddrPort, limit time.Duration) (n net.Conn, err error) {
	args := []trace.Arg{{Name: "sockfd", Value: "sock"}, {Name: "addr", Value: strconv.Quote(a.String())}}
	err = c.traced("connect", "TCP "+a.String(), args, func() (string, error) {
		d := net.Dialer{Timeout: limit, KeepAliveConfig: keepAlive}
		n, err = d.DialContext(ctx, "tcp", a.String())
		switch {
		case err == nil:
			return opened(n), nil
		case ctx.Err() != nil:
			err = context.Cause(ctx)
		default:
			err = bare(timeoutOf(err))
		}
		return "-1", &attempt{a.Addr(), err}
	})
	return n, err
}

func opened(n net.Conn) string {
	return fmt.Sprintf("0, sock = %d from %v", fdOf(n), addrPort(n.LocalAddr()))
}
