package steps

import (
	"os"

	"ibtour/steps/exchange"
	"ibtour/verbs"
	"ibtour/verbs/kernel"
)

// Snapshot is the observed state of a run at one moment. What could not be
// observed is nil.
type Snapshot struct {
	Ends    []EndState
	Process *kernel.Process
	// Kernel is the kernel's record of this process's resources on the device;
	// nil for a device that is not the kernel's.
	Kernel   *kernel.Resources
	Counters []kernel.Counter // of the port, IB counters first
	// Booked is what an embedded device counts as pinned by itself, in bytes; nil
	// for a device of the kernel's, whose pages the kernel counts.
	Booked *int64
}

// EndState is the observed state of one end.
type EndState struct {
	Role    Role
	Device  *DeviceState
	PD      bool
	Buffer  *BufferState
	MR      *MRState
	Channel *ChannelState
	CQ      *CQState
	QP      *QPState
	Port    *verbs.PortAttr // asked anew: the port as it is now
	GID     *verbs.GIDEntry
	Peer    *exchange.Address
	Flow    *Flow
}

// DeviceState is an opened device.
type DeviceState struct {
	Name string
	FDs  verbs.FDs
}

// BufferState is the memory of the messages: its address and its content.
type BufferState struct {
	Addr   uint64
	Len    int
	Memory *Memory
}

// MRState is a memory region.
type MRState struct {
	LKey   verbs.LKey
	RKey   verbs.RKey
	Access verbs.AccessFlags
}

// ChannelState is a completion channel.
type ChannelState struct{ FD int }

// CQState is a completion queue.
type CQState struct {
	CQE     int
	Polled  uint64 // completions taken so far
	Unacked int    // events taken and not acknowledged
}

// QPState is a queue pair: its attributes as ibv_query_qp reports them now,
// and its queues as far as this program knows.
type QPState struct {
	Num    verbs.QPN
	Type   verbs.QPType
	Attr   verbs.QPAttr
	Queues verbs.Queues
}

// Observe looks at ends of this process. It makes no traced call and changes
// nothing.
func Observe(ends []*End) *Snapshot {
	s := &Snapshot{}
	for _, e := range ends {
		s.Ends = append(s.Ends, e.observe())
	}
	if p, err := kernel.ReadProcess(os.Getpid()); err == nil {
		s.Process = &p
	}
	for _, e := range ends {
		if e.opened.Name != "" {
			s.observeDevice(e.opened, e.Opts.IBPort)
			break // both ends use the same device
		}
	}
	for _, e := range ends {
		if e.Context == nil {
			continue
		}
		if n, counts := e.Context.Booked(); counts {
			s.Booked = &n
		}
	}
	return s
}

// observeDevice asks the kernel about a device, also when it is closed again: then
// nothing is left of what was made.
func (s *Snapshot) observeDevice(d verbs.DeviceInfo, port int) {
	if d.SysPath == "" {
		return
	}
	if r, err := kernel.ReadResources(d.Name, os.Getpid()); err == nil {
		s.Kernel = &r
	}
	if n, err := kernel.ReadIBCounters(nil, d.Name, port); err == nil {
		s.Counters = n
	}
	if n, err := kernel.ReadHWCounters(d.Name, port); err == nil {
		s.Counters = append(s.Counters, n...)
	}
}

func (e *End) observe() EndState {
	s := EndState{Role: e.Role, PD: e.PD != nil, GID: e.GID, Peer: e.Peer}
	if e.Context != nil {
		s.Device = &DeviceState{Name: e.Context.Name(), FDs: e.Context.FDs()}
		if a, err := e.Context.PeekPort(uint8(e.Opts.IBPort)); err == nil && e.Port != nil {
			s.Port = &a
		}
	}
	if e.Buffer != nil {
		s.Buffer = &BufferState{Addr: e.Buffer.Addr(), Len: e.Buffer.Len(), Memory: e.readMemory()}
	}
	if e.MR != nil {
		s.MR = &MRState{LKey: e.MR.LKey(), RKey: e.MR.RKey(), Access: e.MR.Access()}
	}
	if e.Channel != nil {
		s.Channel = &ChannelState{FD: e.Channel.FD()}
	}
	if e.CQ != nil {
		s.CQ = &CQState{CQE: e.CQ.CQE(), Polled: e.CQ.Polled(), Unacked: e.CQ.Unacked()}
	}
	if e.QP != nil {
		s.QP = observeQP(e.QP)
		flow := e.Flow
		s.Flow = &flow
	}
	return s
}

// readMemory copies the content of the buffer. The two ends of a step that
// they take together may be looked at from the goroutines of both.
func (e *End) readMemory() *Memory {
	e.looking.Lock()
	defer e.looking.Unlock()
	e.content = readMemory(e.Buffer, e.MR, e.content)
	return e.content
}

func observeQP(q *verbs.QP) *QPState {
	s := &QPState{Num: q.Num(), Type: q.Type(), Queues: q.Queues()}
	if a, err := q.Peek(everyAttr); err == nil {
		s.Attr = a
	}
	return s
}

// everyAttr asks for all attributes of a queue pair.
const everyAttr = verbs.AttrState | verbs.AttrAccessFlags | verbs.AttrPKeyIndex | verbs.AttrPort |
	verbs.AttrAV | verbs.AttrPathMTU | verbs.AttrTimeout | verbs.AttrRetryCnt | verbs.AttrRNRRetry |
	verbs.AttrRQPSN | verbs.AttrMaxQPRDAtomic | verbs.AttrMinRNRTimer | verbs.AttrSQPSN |
	verbs.AttrMaxDestRDAtomic | verbs.AttrPathMigState | verbs.AttrCap | verbs.AttrDestQPN
