package softroce

import (
	"net"
	"net/netip"
	"strings"
	"testing"

	"ibtour/verbs/wire"
)

// A panic in any goroutine of the device is told of, with its stack.
func TestPanicked(t *testing.T) {
	for name, work := range map[string]func(t *testing.T, d *device){
		"tick": func(_ *testing.T, d *device) {
			d.qps[1] = nil
			d.timer.Reset(0)
		},
		"carryLate": func(_ *testing.T, d *device) {
			go d.carryLate(new(wire.Envelope), nil, nil)
		},
		"run": func(t *testing.T, d *device) {
			t.Helper()
			u, err := openUDP(d, loopback(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { u.conn.Close() })
			d.lock()
			d.turns = append(d.turns, nil)
			d.unlock()
			c, err := net.Dial("udp", u.local.String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
		},
	} {
		stacks := make(chan string, 1)
		d, err := newDevice(Options{Panicked: func(_ any, stack []byte) { stacks <- string(stack) }})
		if err != nil {
			t.Fatal(err)
		}
		work(t, d)
		if stack := <-stacks; !strings.Contains(stack, ")."+name+"(") {
			t.Errorf("the stack of a panic in %s is\n%s", name, stack)
		}
	}
}

// loopback returns an address that no other process uses with our port.
func loopback(t *testing.T) netip.Addr {
	t.Helper()
	for last := byte(1); last < 255; last++ {
		a := netip.AddrFrom4([4]byte{127, 77, 13, last})
		c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(a, wire.Port)))
		if err == nil {
			c.Close()
			return a
		}
	}
	t.Fatal("no address is free")
	return netip.Addr{}
}
