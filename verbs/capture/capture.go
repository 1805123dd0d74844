package capture

import (
	"errors"
	"math"
	"os"
	"sync"
	"syscall"
	"time"
)

// Frame is a packet as the network device has it.
type Frame struct {
	// At is the time by the kernel; of the first packets it may be that of
	// reading them, since the kernel begins to note it a moment after Open.
	At   time.Time
	Sent bool // it leaves the host; of a packet on a loopback device both are seen
	// Offloaded says that the UDP checksum was left to the network device: the
	// bytes here are not yet those of the wire. The ICRC does not cover them.
	Offloaded bool
	// IP is the packet from its IP header on. It is valid during the call only.
	IP []byte
}

// Stats are the numbers of a capture so far.
type Stats struct {
	Packets uint64 // passed by the filter, dropped ones included
	Dropped uint64 // for want of room in the socket's buffer
}

// bufferSize is how much the kernel keeps for a slow reader, in bytes.
const bufferSize = 4 << 20

// mostQueued is more than ever wait in the socket's buffer, of which the kernel
// grants twice the size and counts at least half a kilobyte for each packet.
const mostQueued = 2 * bufferSize / 512

// Capture takes the RoCE v2 packets of one network device.
type Capture struct {
	file *os.File
	raw  syscall.RawConn
	see  func(Frame)
	done chan struct{} // closed when the reader has returned

	mu    sync.Mutex // of reading and of what follows
	buf   []byte
	oob   []byte
	stats Stats
	err   error // why the capture ended by itself
}

// Open captures on a network device of this network namespace. see is called
// with every packet, one at a time, until Close returns; it must call no
// method of the Capture but Pause. syscall.EPERM: CAP_NET_RAW is missing.
// syscall.ENODEV: there is no such device.
func Open(device string, see func(Frame)) (*Capture, error) {
	file, err := openSocket(device)
	if err != nil {
		return nil, err
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	c := &Capture{
		file: file, raw: raw, see: see, done: make(chan struct{}),
		buf: make([]byte, snapLen), oob: make([]byte, oobLen),
	}
	go c.read()
	return c, nil
}

// Permitted returns nil where this process may capture, syscall.EPERM where it
// may not, and errors.ErrUnsupported where nobody can.
func Permitted() error { return trySocket() }

// read passes packets on until the socket is closed.
func (c *Capture) read() {
	defer close(c.done)
	// It ends with an error when the socket is closed, which is no news.
	_ = c.raw.Read(func(fd uintptr) bool { return c.drain(int(fd), math.MaxInt) })
}

// drain passes on what there is, but not more packets than most. It returns
// true when no more will come.
func (c *Capture) drain(fd, most int) (ended bool) {
	for range most {
		err := c.one(fd)
		switch {
		case err == nil:
		case errors.Is(err, syscall.EAGAIN):
			return false
		case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.ENETDOWN):
			// A device that is down may come up again.
		default:
			return true
		}
	}
	return false
}

// one passes on one packet.
func (c *Capture) one(fd int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	f, err := receive(fd, c.buf, c.oob)
	switch {
	case err == nil:
		c.see(f)
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EINTR), errors.Is(err, syscall.ENETDOWN):
	default:
		c.err = err
	}
	return err
}

// Sync returns once every packet that was captured before has been seen. The
// error is the one that ended the capture, if it has ended by itself.
func (c *Capture) Sync() error {
	if err := c.raw.Control(func(fd uintptr) { c.drain(int(fd), mostQueued) }); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Stats returns the numbers so far.
func (c *Capture) Stats() (s Stats, err error) {
	var failed error
	err = c.raw.Control(func(fd uintptr) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if s, failed = readStats(int(fd)); failed != nil {
			return
		}
		c.stats.Packets += s.Packets // the kernel counts from the last reading on
		c.stats.Dropped += s.Dropped
		s = c.stats
	})
	return s, errors.Join(err, failed)
}

// Pause makes the kernel pass no packets until Resume: what they cost the host
// is then one instruction each.
func (c *Capture) Pause() error { return c.attach(nothing) }

// Resume ends a Pause.
func (c *Capture) Resume() error { return c.attach(filter) }

func (c *Capture) attach(program []rawInstruction) error {
	var failed error
	err := c.raw.Control(func(fd uintptr) { failed = attachFilter(int(fd), program) })
	return errors.Join(err, failed)
}

// Close ends the capture. Nothing is seen after it.
func (c *Capture) Close() error {
	err := c.file.Close()
	<-c.done
	return err
}
