//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// turnLoop executes turns in one foreign call. The Go runtime sees a system
// call that takes long, hands the processor to others and stays out of the way;
// with a foreign call for each verb it would do that thousands of times a
// second. It means exactly what verbs.NewTurnLoop means.
type turnLoop struct {
	running sync.Mutex // held by Run and by Close
	b       *loopBlock
	mem     block // of b
	work    block // turns, stamps and completions of one Run
	send    block
	recv    block

	mu     sync.Mutex // of what follows: Stop and Stamps may come late
	wake   int        // eventfd
	closed bool
	at     []int64 // stamps of the Run under way, in work
}

// turnLoopEntry is the address of the loop, a C function of one argument.
var turnLoopEntry uintptr

// NewTurnLoop prepares a loop below the Go runtime. Its clock is
// CLOCK_MONOTONIC.
func (c *deviceContext) NewTurnLoop(spec verbs.TurnSpec) (verbs.TurnLoop, error) {
	q := spec.QP.(*qp)
	if q.typ == verbs.QPTUD {
		return nil, syscall.EINVAL // as PostSend
	}
	wake, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	l := &turnLoop{wake: wake}
	if err := l.prepare(c, &spec); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

func (l *turnLoop) prepare(c *deviceContext, spec *verbs.TurnSpec) (err error) {
	if l.mem, err = newBlock(unsafe.Sizeof(loopBlock{})); err != nil {
		return err
	}
	l.b = at[loopBlock](l.mem.addr())
	b := l.b
	b.pollCQ, b.reqNotifyCQ = c.ops.pollCQ, c.ops.reqNotifyCQ
	b.postSend, b.postRecv = c.ops.postSend, c.ops.postRecv
	b.getCQEvent, b.poll = c.lib.getCQEvent.addr, c.lib.poll.addr
	b.clockGettime, b.errnoAddress = c.lib.clockGettime.addr, c.lib.errnoLocation.addr
	b.qp, b.cq = spec.QP.(*qp).addr, spec.CQ.(*cq).addr
	if spec.Channel != nil {
		ch := spec.Channel.(*channel)
		b.channel, b.fds[0] = ch.addr, cPollFD{fd: int32(ch.fd), events: unix.POLLIN}
		b.fds[1] = cPollFD{fd: int32(l.wake), events: unix.POLLIN}
	}
	return l.requests(spec)
}

// requests puts the work requests that every turn posts into C's form.
func (l *turnLoop) requests(spec *verbs.TurnSpec) error {
	send, sges, mem, err := newSlot[sendSlot](len(spec.Send.SGList))
	if err != nil {
		return err
	}
	l.send = mem
	send.wr.from(&spec.Send, sges)
	send.wr.sgList, l.b.sendWR = addrOf(unsafe.SliceData(sges)), addrOf(&send.wr)

	recv, sges, mem, err := newSlot[recvSlot](len(spec.Recv.SGList))
	if err != nil {
		return err
	}
	l.recv = mem
	recv.wr.from(&spec.Recv, sges)
	recv.wr.sgList, l.b.recvWR = addrOf(unsafe.SliceData(sges)), addrOf(&recv.wr)
	return nil
}

// Run executes turns. The memory it needs, about 20 bytes for each turn and 48
// for each completion, is kept for the next Run.
func (l *turnLoop) Run(turns []verbs.Turn, res *verbs.TurnResult) error {
	l.running.Lock()
	defer l.running.Unlock()
	res.Turns, res.NumWC, res.Events = 0, 0, 0
	if l.b == nil {
		return verbs.ErrClosed
	}
	wcs := waits(turns)
	if len(res.At) < len(turns) || len(res.WC) < wcs {
		return fmt.Errorf("turn result has room for %d turns and %d completions, not for %d and %d",
			len(res.At), len(res.WC), len(turns), wcs)
	}
	if len(turns) == 0 {
		return nil
	}
	at, wc, err := l.load(turns, wcs)
	if err != nil {
		return err
	}
	l.show(at)
	purego.SyscallN(turnLoopEntry, l.mem.addr())
	l.show(nil)
	l.unload(at, wc, res)
	return l.b.err()
}

func waits(turns []verbs.Turn) int {
	n := 0
	for _, t := range turns {
		n += int(t.Wait)
	}
	return n
}

// load lays out stamps, completions and turns, in this order for their
// alignment, and copies the turns.
func (l *turnLoop) load(turns []verbs.Turn, wcs int) ([]int64, []cWC, error) {
	atSize := uintptr(len(turns)) * unsafe.Sizeof(int64(0))
	wcSize := uintptr(wcs) * unsafe.Sizeof(cWC{})
	size := atSize + wcSize + uintptr(len(turns))*unsafe.Sizeof(cTurn{})
	if size > uintptr(len(l.work.mem)) {
		l.work.free()
		work, err := newBlock(size)
		if err != nil {
			return nil, nil, err
		}
		l.work = work
	}
	b := l.b
	b.at = l.work.addr()
	b.wc = b.at + atSize
	b.turns = b.wc + wcSize
	b.left, b.done, b.numWC, b.events = uint64(len(turns)), 0, 0, 0
	to := array[cTurn](b.turns, len(turns))
	for i, t := range turns {
		to[i] = cTurn{wait: t.Wait, recvs: t.Recvs, sends: t.Sends}
	}
	return array[int64](b.at, len(turns)), array[cWC](b.wc, wcs), nil
}

// show lets Stamps see the stamps of a Run.
func (l *turnLoop) show(at []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = at
}

// Stamps reads what the loop has written so far: it counts a turn after it
// has stamped it.
func (l *turnLoop) Stamps(from int, at []int64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at == nil {
		return 0
	}
	done := int(atomic.LoadUint64(&l.b.done))
	if from >= done {
		return 0
	}
	return copy(at, l.at[from:done])
}

// unload copies what happened. A turn whose posting failed has a stamp and
// does not count.
func (l *turnLoop) unload(at []int64, wc []cWC, res *verbs.TurnResult) {
	res.Turns, res.NumWC, res.Events = int(l.b.done), int(l.b.numWC), int(l.b.events)
	copy(res.At, at[:min(res.Turns+1, len(at))])
	for i := range wc[:res.NumWC] {
		wc[i].to(&res.WC[i])
	}
}

// Now returns the time of CLOCK_MONOTONIC.
func (l *turnLoop) Now() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) // cannot fail for this clock
	return ts.Nano()
}

// Stop makes this and every later Run return ErrStopped at its next wait.
func (l *turnLoop) Stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		atomic.StoreUint32(&l.b.stop, 1)
		signalFD(l.wake)
	}
}

// Close stops the loop if it runs and frees it. A second Close does nothing.
func (l *turnLoop) Close() error {
	l.Stop()
	l.running.Lock()
	defer l.running.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.release()
	}
	return nil
}

func (l *turnLoop) release() {
	l.closed, l.b = true, nil
	for _, b := range []*block{&l.mem, &l.work, &l.send, &l.recv} {
		b.free()
	}
	_ = unix.Close(l.wake)
}
