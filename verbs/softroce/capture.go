package softroce

import (
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"ibtour/verbs/wire"
)

// capture writes packets as pcapng. What surrounds a packet on the wire is
// synthesized: a UDP socket does not show it, and in memory it never existed.
type capture struct {
	w   *pcapgo.NgWriter
	buf []byte
	err error // the first one; the device goes on without a capture
}

// Ethernet addresses of packets in a capture: locally administered, since no
// real ones are known.
var (
	captureSrc = [6]byte{0x02, 0, 0, 0, 0, 0x01}
	captureDst = [6]byte{0x02, 0, 0, 0, 0, 0x02}
)

const (
	etherIPv4 = 0x0800
	etherIPv6 = 0x86DD
)

func newCapture(w io.Writer) (*capture, error) {
	ng, err := pcapgo.NewNgWriter(w, layers.LinkTypeEthernet)
	return &capture{w: ng}, err
}

// write appends one packet.
func (c *capture) write(env *wire.Envelope, b []byte, at time.Time) {
	if c.err != nil {
		return
	}
	c.buf = append(c.buf[:0], captureDst[:]...)
	c.buf = append(c.buf, captureSrc[:]...)
	ether := uint16(etherIPv6)
	if env.Is4() {
		ether = etherIPv4
	}
	c.buf = append(c.buf, byte(ether>>8), byte(ether))
	c.buf = env.AppendHeaders(c.buf, len(b))
	c.buf = append(c.buf, b...)
	info := gopacket.CaptureInfo{Timestamp: at, Length: len(c.buf), CaptureLength: len(c.buf)}
	if c.err = c.w.WritePacket(info, c.buf); c.err == nil {
		c.err = c.w.Flush() // a reader may follow, and the program may be killed
	}
}

// close returns the first error there was.
func (c *capture) close() error {
	if c.err != nil {
		return c.err
	}
	return c.w.Flush()
}
