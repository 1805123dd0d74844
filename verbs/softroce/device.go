package softroce

import (
	"net/netip"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// device is everything the contexts of one driver share.
//
// Locking: mu guards all of it, its objects and their queues. Completion
// queues, event queues and accounts have locks of their own, taken after mu,
// so that a program can poll and wait while the device works.
type device struct {
	opts  Options
	guid  verbs.GUID
	gids  []gid
	epoch time.Time
	down  chan struct{} // closed with the device

	mu      sync.Mutex
	qps     map[verbs.QPN]*qp
	ghosts  map[verbs.QPN]*ghost
	lkeys   map[verbs.LKey]*mr
	rkeys   map[verbs.RKey]*mr
	pinned  int64
	counts  struct{ pd, cq int }
	lastQPN verbs.QPN
	nextKey uint32

	turns  []*qp // queue pairs that may have something to send
	held   []*qp // those whose ACK waits
	urgent urgency
	memory memoryLink
	udp    map[netip.Addr]*udpLink
	taps   taps

	timer *time.Timer
	wake  time.Duration // when timer fires; 0: it is stopped

	tx                 []byte      // packet being sent
	gather             []byte      // its payload, if it comes from several elements
	out                wire.Packet // its headers
	request            request     // what it is made from
	reply              reply       // or this
	in                 wire.Packet // packet being received
	sealing, verifying wire.Stream
	dropped            [numDropReasons]uint64

	completed uint64        // completions there were, on all queues
	polls     uint64        // times a program read a socket
	clock     time.Duration // the time since mu was locked, 0 if nobody asked yet

	lone    atomic.Pointer[udpLink] // the only socket there is
	sockets atomic.Int32
	waiters atomic.Int32       // programs that wait for an event
	parked  atomic.Pointer[cq] // where the last program waits that polls in memory
}

func newDevice(opts Options) (*device, error) {
	d := &device{
		opts: opts, gids: gidTable(opts.Addr), epoch: time.Now().Add(-time.Second), down: make(chan struct{}),
		qps: map[verbs.QPN]*qp{}, ghosts: map[verbs.QPN]*ghost{},
		lkeys: map[verbs.LKey]*mr{}, rkeys: map[verbs.RKey]*mr{}, udp: map[netip.Addr]*udpLink{},
		tx: make([]byte, 0, maxFrame), gather: make([]byte, 0, maxPacket),
	}
	d.memory.dev = d
	hi, err := d.random()
	if err != nil {
		return nil, err
	}
	lo, err := d.random()
	if err != nil {
		return nil, err
	}
	const local = 0x02 << 56 // a locally administered EUI-64
	d.guid = verbs.GUID(uint64(hi)<<32|uint64(lo))&^(0xFF<<56) | local
	d.lastQPN = verbs.QPN(firstQPN + lo%(lastQPN-firstQPN))
	if d.taps, err = newTaps(&d.opts); err != nil {
		return nil, err
	}
	d.timer = time.AfterFunc(time.Hour, d.tick)
	d.timer.Stop()
	return d, nil
}

// close stops everything. The objects are gone already.
func (d *device) close() error {
	d.lock()
	d.timer.Stop()
	close(d.down)
	links := d.udp
	d.udp = nil
	err := d.taps.close()
	d.unlock()
	for _, l := range links {
		l.Close()
	}
	return err
}

func (d *device) lock() {
	d.mu.Lock()
	d.clock = 0
}

func (d *device) unlock() { d.mu.Unlock() }

// now returns the time since shortly before the device was made: it is never 0,
// which stands for no time. It stands still until mu is unlocked: a clock is
// read in the time a small packet takes through all machines.
// Precondition: mu is locked.
func (d *device) now() time.Duration {
	if d.clock == 0 {
		d.clock = d.age()
	}
	return d.clock
}

// age is now for those who have not locked mu.
func (d *device) age() time.Duration { return time.Since(d.epoch) }

// schedule makes pump come round to a queue pair.
// Precondition: mu is locked.
func (d *device) schedule(q *qp) {
	if q.turn == turnNone {
		q.turn = turnQueued
		d.turns = append(d.turns, q)
	}
}

// pump runs the device until nothing is left to do: packets in memory are
// delivered, queue pairs send. Every path that may have made work ends here.
// Precondition: mu is locked.
func (d *device) pump() {
	if len(d.turns) == 0 && d.memory.n == 0 {
		return
	}
	for {
		for d.memory.n > 0 {
			d.memory.deliver(d.now())
		}
		if len(d.turns) == 0 {
			return
		}
		q := d.turns[0]
		d.turns = d.turns[:copy(d.turns, d.turns[1:])]
		q.turn = turnNone
		q.emit()
	}
}

// arm makes sure that the timer fires at a time or before.
// Precondition: mu is locked.
func (d *device) arm(at time.Duration) {
	if d.wake == 0 || at < d.wake {
		d.wake = at
		d.timer.Reset(at - d.now())
	}
}

// tick is run by the timer. Deadlines that moved meanwhile arm it again: the
// timer of a busy queue pair need not be touched for every packet.
func (d *device) tick() {
	defer d.guard()
	d.lock()
	defer d.unlock()
	now, earliest := d.now(), time.Duration(0)
	d.wake = 0
	for _, q := range d.qps {
		q.expire(now)
		if at := q.req.deadline; at != 0 && (earliest == 0 || at < earliest) {
			earliest = at
		}
	}
	d.pump()
	if earliest != 0 {
		d.arm(earliest)
	}
}

// guard is deferred by the goroutines of the device, which nobody called who
// could recover.
func (d *device) guard() {
	if d.opts.Panicked == nil {
		return
	}
	if v := recover(); v != nil {
		d.opts.Panicked(v, debug.Stack())
	}
}

// beginWait notes that a program sleeps until an event: the sockets' own
// goroutines must be awake.
func (d *device) beginWait() {
	if d.waiters.Add(1) > 1 || d.sockets.Load() == 0 {
		return
	}
	d.lock()
	defer d.unlock()
	for _, l := range d.udp {
		l.rouse()
	}
}

func (d *device) endWait() { d.waiters.Add(-1) }
