package steps

import (
	"time"

	"ibtour/steps/exchange"
	"ibtour/verbs/kernel"
	"ibtour/verbs/trace"
)

// Event is something that happened in a run. The stream of events is all that
// any reader knows: the screen, the plain text, the JSON lines and the tests.
type Event struct {
	Seq  int       `json:"seq"`
	Time time.Time `json:"time"`
	Kind Kind      `json:"kind"`
	Step string    `json:"step,omitempty"` // ID of the step it belongs to
	Stop int       `json:"stop"`           // place of the step in the run, -1 outside any
	End  Role      `json:"end,omitempty"`  // empty for all ends together

	Phase   Phase         `json:"phase,omitempty"`   // StepStarted
	Title   string        `json:"title,omitempty"`   // StepStarted
	Call    *trace.Call   `json:"call,omitempty"`    // CallStarted, CallDone
	Nth     int           `json:"nth,omitempty"`     // CallStarted, CallDone: which call of its step, from 1, repeats counted
	Of      int           `json:"of,omitempty"`      // of how many; 0 if that is not known ahead
	Entered bool          `json:"entered,omitempty"` // its step is entered: each call is told by itself
	Seen    *kernel.Seen  `json:"seen,omitempty"`    // CallDone: what the kernel shows of it, if it is watched
	Detail  trace.Event   `json:"detail,omitempty"`  // StateChanged, Completed, PacketSeen, Captured
	Changes []Change      `json:"changes,omitempty"` // StepDone
	Took    time.Duration `json:"took_ns,omitempty"` // StepDone, RunDone: without the time spent waiting at a gate
	Text    string        `json:"text,omitempty"`    // Noticed
	Address *Addresses    `json:"address,omitempty"` // Met
	Reached *Progress     `json:"progress,omitempty"`
	Figures *Figures      `json:"figures,omitempty"` // Measured
	Error   string        `json:"error,omitempty"`   // StepDone, RunDone
	Err     error         `json:"-"`
	State   *Snapshot     `json:"-"` // StepStarted, CallStarted of an entered step: before; StepDone: after
}

// Kind says what happened.
type Kind string

// The kinds of events, in the order they come in within a step.
const (
	RunStarted   Kind = "run_started"
	StepStarted  Kind = "step_started"  // before anything is done
	CallStarted  Kind = "call"          // a call is about to be made
	CallDone     Kind = "call_done"     // it returned
	CallRepeated Kind = "call_repeated" // equal calls with equal results followed; Repeat counts them all, the one told before too
	StateChanged Kind = "state"         // a queue pair moved
	Completed    Kind = "completion"    // a completion was polled
	PacketSeen   Kind = "packet"        // the device sent or received it; any time
	Captured     Kind = "capture"       // whether the packets of a kernel's device are captured, or its numbers changed
	Noticed      Kind = "notice"        // something was decided, or is worth knowing
	Met          Kind = "address"       // an end knows its own address, and later its peer's
	Progressed   Kind = "progress"      // iterations at full speed
	Measured     Kind = "figures"       // the results of an end
	StepDone     Kind = "step_done"
	Stopping     Kind = "stopping" // the run ends early; the tear-down follows
	RunDone      Kind = "run_done"
)

// Addresses are what the two ends tell each other. Peer is nil until it is known.
type Addresses struct {
	Local AddressText  `json:"local"`
	Peer  *AddressText `json:"remote,omitempty"`
}

// AddressText is an address in the notation of ibv_rc_pingpong.
type AddressText struct {
	LID string `json:"lid"`
	QPN string `json:"qpn"`
	PSN string `json:"psn"`
	GID string `json:"gid"`
}

// String returns the line ibv_rc_pingpong prints.
func (a AddressText) String() string {
	return "LID " + a.LID + ", QPN " + a.QPN + ", PSN " + a.PSN + ", GID " + a.GID
}

func addressText(a exchange.Address) AddressText {
	return AddressText{LID: a.LID.String(), QPN: a.QPN.String(), PSN: a.PSN.String(), GID: a.GID.String()}
}

// Change is a fact that a step changed.
type Change struct {
	Name string `json:"name"`
	From string `json:"from,omitempty"` // empty: it was not there
	To   string `json:"to,omitempty"`   // empty: it is gone
}
