package capture

import (
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"ibtour/verbs/wire"
)

// File writes packets as pcapng.
type File struct {
	w     *pcapgo.NgWriter
	ether bool // an Ethernet header is put in front
	buf   []byte
	err   error // the first one; what follows is not written
}

// Ethernet addresses of packets that never had any: locally administered.
var (
	madeUpSrc = [6]byte{0x02, 0, 0, 0, 0, 0x01}
	madeUpDst = [6]byte{0x02, 0, 0, 0, 0, 0x02}
)

const (
	etherIPv4 = 0x0800
	etherIPv6 = 0x86DD
)

// NewEthernetFile begins a file of packets that are known from the BTH on.
// Ethernet, IP and UDP headers are synthesized: a UDP socket does not show
// them, and in memory they never existed.
func NewEthernetFile(w io.Writer) (*File, error) {
	ng, err := pcapgo.NewNgWriter(w, layers.LinkTypeEthernet)
	return &File{w: ng, ether: true}, err
}

// NewIPFile begins a file of packets that were captured on a network device,
// which are known from the IP header on and written as they are.
func NewIPFile(w io.Writer, device string) (*File, error) {
	i := pcapgo.DefaultNgInterface
	i.Name, i.LinkType = device, layers.LinkTypeRaw
	ng, err := pcapgo.NewNgWriterInterface(w, i, pcapgo.DefaultNgWriterOptions)
	return &File{w: ng}, err
}

// WritePacket appends a packet from the BTH to the ICRC.
func (f *File) WritePacket(env *wire.Envelope, b []byte, at time.Time) {
	if f.err != nil {
		return
	}
	f.buf = f.buf[:0]
	if f.ether {
		f.buf = append(append(f.buf, madeUpDst[:]...), madeUpSrc[:]...)
		ether := uint16(etherIPv6)
		if env.Is4() {
			ether = etherIPv4
		}
		f.buf = append(f.buf, byte(ether>>8), byte(ether))
	}
	f.buf = env.AppendHeaders(f.buf, len(b))
	f.buf = append(f.buf, b...)
	f.write(f.buf, at)
}

// WriteIP appends a packet from its IP header on, to a file of NewIPFile.
func (f *File) WriteIP(b []byte, at time.Time) {
	if f.err == nil {
		f.write(b, at)
	}
}

func (f *File) write(b []byte, at time.Time) {
	info := gopacket.CaptureInfo{Timestamp: at, Length: len(b), CaptureLength: len(b)}
	if f.err = f.w.WritePacket(info, b); f.err == nil {
		f.err = f.w.Flush() // a reader may follow, and the program may be killed
	}
}

// Close completes the file, whose writer stays open, and returns the first
// error there was.
func (f *File) Close() error {
	if f.err != nil {
		return f.err
	}
	return f.w.Flush()
}
