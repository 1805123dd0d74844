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

// Packet reports a packet a software device sent or received.
type Packet struct {
	At   time.Time      `json:"at"`
	Sent bool           `json:"sent"`
	From netip.AddrPort `json:"from"`
	To   netip.AddrPort `json:"to"`
	Data []byte         `json:"data"` // BTH to ICRC
	Note string         `json:"note,omitempty"`
}

// Clone returns a packet with data of its own: a device lends the data of a
// packet for the time of a call.
func (p Packet) Clone() Packet {
	p.Data = bytes.Clone(p.Data)
	return p
}

// Kind returns "packet".
func (Packet) Kind() string { return "packet" }
