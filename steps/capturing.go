package steps

import (
	"errors"
	"io"
	"net/netip"
	"slices"
	"sync"
	"syscall"

	"ibtour/verbs"
	"ibtour/verbs/capture"
	"ibtour/verbs/kernel"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// Capture asks a Runner to capture the packets of its queue pairs on the
// network device that carries them. Soft-RoCE sends through one; what an
// adapter sends, and what stays inside one device, cannot be captured, and
// Captured events say so.
type Capture struct {
	// Packets is told of every packet, by the goroutine that captures, which
	// lends the packet's data.
	Packets func(trace.Packet)
	// File opens the file that gets every packet as pcapng; nil means none.
	File func() (io.Writer, error)
	// AtFullSpeed is how many packets of a step at full speed are captured.
	// Then the capture pauses until the end of the step, because it takes time
	// from the processors that the figures are measured on. 0 means all.
	AtFullSpeed int
}

// capturing is the capture of one run.
type capturing struct {
	runner *Runner
	want   *Capture
	on     *capture.Capture // nil: not captured
	file   *capture.File    // nil: none
	off    bool             // the device tells of its packets itself

	// Packets come from another goroutine. mu guards what it changes; the rest of
	// the report is changed by the runner's alone.
	mu     sync.Mutex
	report trace.Capture
	told   trace.Capture
	flows  []flow
	fast   bool  // a step at full speed is executed
	seen   int   // packets of it
	failed error // a panic of who was told of a packet
}

// flow is a connection of this run: one end here, the peer elsewhere.
type flow struct {
	role        Role
	qpn, peer   verbs.QPN
	local, dest netip.Addr
}

// carries tells whether a packet is one of the connection.
func (f *flow) carries(e *wire.Envelope, to verbs.QPN) bool {
	src, dst := e.Src.Addr(), e.Dst.Addr()
	return src == f.local && dst == f.dest && to == f.peer ||
		src == f.dest && dst == f.local && to == f.qpn
}

// newCapturing returns nil if nothing is to be captured. All methods do nothing
// then.
func newCapturing(r *Runner) *capturing {
	if r.Capture == nil {
		return nil
	}
	return &capturing{runner: r, want: r.Capture}
}

// before prepares for a step.
func (c *capturing) before(s *Stop) {
	if c == nil || !s.Step.Together || c.want.AtFullSpeed == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fast, c.seen = true, 0
}

// after takes note of what a step has settled: the device, the GID, the peer.
// The packets of the step have all been told when it returns.
func (c *capturing) after() {
	if c == nil || c.off {
		return
	}
	for _, e := range c.runner.ends {
		c.settle(e)
		c.learn(e)
	}
	if c.on == nil {
		c.tell()
		return
	}
	err := c.on.Sync()
	if c.endOfFast() {
		err = errors.Join(err, c.on.Resume())
	}
	c.count()
	if err != nil {
		c.stop(trace.CaptureFailed, err)
	}
	c.tell()
}

// settle finds out whether the packets can be captured, as soon as that is
// known, and begins.
func (c *capturing) settle(e *End) {
	if c.report.State != "" || e.Context == nil {
		return
	}
	if c.report.Device == "" && !c.meetDevice(e.Context) {
		return
	}
	if e.GID == nil {
		return
	}
	on, err := e.carrier()
	if err == nil {
		c.report.On = on
		err = c.open(on)
	}
	switch {
	case err == nil:
		c.report.State = trace.CaptureOpen
	case errors.Is(err, syscall.EPERM):
		c.report.State, c.report.Error = trace.CaptureRefused, err.Error()
	default:
		c.report.State, c.report.Error = trace.CaptureFailed, err.Error()
	}
}

// meetDevice looks at the device, and returns false if that settles it.
func (c *capturing) meetDevice(ctx *verbs.Context) bool {
	if ctx.Info().SysPath == "" {
		c.off = true
		return false
	}
	c.report.Device = ctx.Name()
	driver, err := kernel.ReadDriver(ctx.Name())
	if err != nil {
		c.report.State, c.report.Error = trace.CaptureFailed, err.Error()
		return false
	}
	c.report.Driver = driver.String()
	switch {
	case driver != kernel.DriverRXE:
		c.report.State = trace.CaptureAdapter
	case len(c.runner.ends) > 1: // one device has both
		c.report.State = trace.CaptureLoopback
	}
	return c.report.State == ""
}

// carrier returns the network device that carries the packets of this end: the
// one that its GID belongs to.
func (e *End) carrier() (string, error) {
	g, err := kernel.ReadGID(nil, e.Context.Name(), e.Opts.IBPort, e.GID.Index)
	if err != nil {
		return "", err
	}
	if g.Netdev == "" {
		return "", e.say().noCarrier.Err(e.GID.Index)
	}
	dev, err := kernel.ReadNetdev(g.Netdev)
	if err != nil {
		return "", err
	}
	// The name may mean another device in this network namespace.
	addr := e.GID.GID.Addr()
	has := slices.ContainsFunc(dev.Addrs, func(p netip.Prefix) bool { return p.Addr() == addr })
	if !has && !addr.IsLinkLocalUnicast() {
		return "", e.say().otherCarrier.Err(g.Netdev, addr)
	}
	return g.Netdev, nil
}

// open begins to capture.
func (c *capturing) open(device string) error {
	if err := capture.Permitted(); err != nil {
		return err // before a file is made
	}
	if c.want.File != nil {
		w, err := c.want.File()
		if err != nil {
			return err
		}
		if c.file, err = capture.NewIPFile(w, device); err != nil {
			return err
		}
	}
	var err error
	c.on, err = capture.Open(device, c.frame)
	return err
}

// learn takes the connection of an end once both ends are known. Soft-RoCE
// hands what is for an address of its own over inside the driver.
func (c *capturing) learn(e *End) {
	if c.on == nil || e.QP == nil || e.Peer == nil || e.GID == nil ||
		slices.ContainsFunc(c.flows, func(f flow) bool { return f.role == e.Role }) {
		return
	}
	table, err := e.Context.PeekGIDs(uint8(e.Opts.IBPort))
	if err == nil && slices.ContainsFunc(table, func(g verbs.GIDEntry) bool { return g.GID == e.Peer.GID }) {
		c.stop(trace.CaptureLoopback, nil)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flows = append(c.flows, flow{
		role: e.Role, qpn: e.QP.Num(), peer: e.Peer.QPN,
		local: e.GID.GID.Addr(), dest: e.Peer.GID.Addr(),
	})
}

// frame takes a packet that the network device carries. A panic of its reader
// ends the telling, and is an error of the run.
func (c *capturing) frame(f capture.Frame) {
	defer func() {
		if err := caught(recover(), nil); err != nil {
			c.mu.Lock()
			c.failed = err
			c.mu.Unlock()
		}
	}()
	d, err := capture.Parse(f.IP)
	if err != nil || !c.mine(&d) {
		c.mu.Lock()
		c.report.Others++
		c.mu.Unlock()
		return
	}
	if c.file != nil {
		c.file.WriteIP(f.IP, f.At)
	}
	if c.want.Packets == nil || c.broken() != nil {
		return
	}
	c.want.Packets(trace.Packet{
		At: f.At, Sent: f.Sent, From: d.Envelope.Src, To: d.Envelope.Dst,
		Data: d.Payload, // lent, as a device lends it
		Captured: &trace.Captured{
			On: c.report.On, ICRC: string(d.ICRC()), Checksum: d.Checksum, Offloaded: f.Offloaded, Missing: d.Missing,
		},
	})
}

// broken returns the panic of a reader, if there was one.
func (c *capturing) broken() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// mine tells whether a packet belongs to this run, and counts it.
func (c *capturing) mine(d *capture.Datagram) bool {
	bth, err := wire.ParseBTH(d.Payload)
	if err != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	to := bth.DestQP
	if !slices.ContainsFunc(c.flows, func(f flow) bool { return f.carries(&d.Envelope, to) }) {
		return false
	}
	if c.seen++; c.fast && c.seen == c.want.AtFullSpeed && c.on.Pause() == nil {
		c.report.Paused = true
	}
	return true
}

// endOfFast ends what before began, and tells whether it had begun.
func (c *capturing) endOfFast() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.fast
	c.fast = false
	return was
}

// count brings the numbers up to date.
func (c *capturing) count() {
	stats, err := c.on.Stats()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.report.Dropped = stats.Dropped
	}
}

// stop ends the capture for a reason.
func (c *capturing) stop(why trace.CaptureState, err error) {
	_ = c.on.Close() // the reason is the news
	c.on = nil
	c.report.State = why
	if err != nil {
		c.report.Error = err.Error()
	}
}

// tell tells of the capture if anything is new.
func (c *capturing) tell() {
	c.mu.Lock()
	report := c.report
	changed := report.State != "" && report != c.told
	c.told = report
	c.mu.Unlock()
	if changed {
		c.runner.emit(Event{Kind: Captured, Stop: -1, Detail: report})
	}
}

// close ends the capture with the run.
func (c *capturing) close() error {
	if c == nil {
		return nil
	}
	var err error
	if c.on != nil {
		_ = c.on.Sync()
		c.count()
		c.tell()
		err = c.on.Close()
	}
	if c.file != nil {
		err = errors.Join(err, c.file.Close())
	}
	return errors.Join(err, c.broken())
}
