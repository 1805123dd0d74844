package trace

import (
	"bytes"
	"net/netip"
	"time"
)

// Tracer sees every call of a program, before and after it is made.
//
// Enter may hold the caller until the call is wanted; this is how the tour
// stops in front of a verb. An error from Enter is returned to the program in
// place of making the call, and Leave is not called then.
type Tracer interface {
	Enter(*Call) error
	Leave(*Call)
	Emit(Event)
}

// Event is something that happened besides the calls themselves.
type Event interface{ Kind() string }

// StateChange reports a queue pair that moved from one state to another.
type StateChange struct {
	QPN  uint32 `json:"qpn"`
	From string `json:"from"`
	To   string `json:"to"`
}

// Kind returns "state".
func (StateChange) Kind() string { return "state" }

// Completion reports a work completion taken from a completion queue.
type Completion struct {
	QPN     uint32 `json:"qpn"`
	WRID    uint64 `json:"wr_id"`
	Opcode  string `json:"opcode"`
	Status  string `json:"status"`
	ByteLen uint32 `json:"byte_len"`
	Vendor  uint32 `json:"vendor_err,omitempty"`
}

// Kind returns "completion".
func (Completion) Kind() string { return "completion" }

// Packet reports a packet a device sent or received: told by a software device
// of this process, or captured on the network device below one of the kernel.
type Packet struct {
	At   time.Time      `json:"at"`
	Sent bool           `json:"sent"`
	From netip.AddrPort `json:"from"`
	To   netip.AddrPort `json:"to"`
	Data []byte         `json:"data"` // BTH to ICRC
	Note string         `json:"note,omitempty"`
	// Captured says where the packet was captured, nil for one that the device
	// itself told of.
	Captured *Captured `json:"captured,omitempty"`
}

// Clone returns a packet with data of its own: a device lends the data of a
// packet for the time of a call.
func (p Packet) Clone() Packet {
	p.Data = bytes.Clone(p.Data)
	return p
}

// Kind returns "packet".
func (Packet) Kind() string { return "packet" }

// Captured is what a capture knows of a packet besides its bytes.
type Captured struct {
	On       string `json:"on"`                     // the network device: v0
	ICRC     string `json:"icrc"`                   // "valid", "wrong", or "unchecked" where bytes are missing
	Checksum uint16 `json:"udp_checksum,omitempty"` // 0: none
	// Offloaded says that the UDP checksum was left to the network device and is
	// not yet the one of the wire.
	Offloaded bool `json:"checksum_offloaded,omitempty"`
	Missing   int  `json:"missing_bytes,omitempty"` // not captured
}

// Capture reports whether the packets of a device of the kernel can be seen
// from outside, on a network device of the host, and what is not shown of them.
type Capture struct {
	State  CaptureState `json:"state"`
	Device string       `json:"device"`           // the RDMA device: rxe0
	Driver string       `json:"driver,omitempty"` // of it: rxe, mlx5
	On     string       `json:"on,omitempty"`     // the network device: v0
	Error  string       `json:"error,omitempty"`  // CaptureRefused, CaptureFailed

	Others  uint64 `json:"others"`           // RoCE v2 packets of other queue pairs there
	Dropped uint64 `json:"dropped"`          // those the capture was too slow for
	Paused  bool   `json:"paused,omitempty"` // some at full speed were left alone, so as not to slow them
}

// Kind returns "capture".
func (Capture) Kind() string { return "capture" }

// CaptureState says whether packets are captured, and if not, what the reason is.
type CaptureState string

// The states of a capture.
const (
	CaptureOpen     CaptureState = "open"
	CaptureAdapter  CaptureState = "adapter"  // the adapter makes the packets, the host never has them
	CaptureLoopback CaptureState = "loopback" // both ends are on the device, which hands the packets over itself
	CaptureRefused  CaptureState = "refused"  // CAP_NET_RAW is missing
	CaptureFailed   CaptureState = "failed"
)
