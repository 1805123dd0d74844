package steps

import "context"

// Role says which end of the connection an End is.
type Role string

// The two ends of a connection.
const (
	Server Role = "server" // waits for the peer and answers its messages
	Client Role = "client" // connects to the peer and sends first
)

// Phase groups the steps of a tour.
type Phase string

// The phases of the ping-pong.
const (
	Discover Phase = "discover"  // find a device and open it
	Allocate Phase = "allocate"  // make the objects
	Meet     Phase = "meet"      // exchange addresses, connect the queue pairs
	PingPong Phase = "ping-pong" // send and receive
	TearDown Phase = "tear-down" // destroy the objects, newest first
)

// Step is one stop of a tour. Its ID names the file with its source and the
// annotation. A step may stand in a tour more than once.
type Step struct {
	ID    string
	Title string // three words, in English; TitleIn has the others
	Phase Phase
	// On says whose step it is; empty means each end's, one after the other.
	On Role
	// Together runs the step on all ends at the same time.
	Together bool
	// When tells whether the step is part of a run with these options; nil
	// means always.
	When func(*Options) bool
	// If tells whether the step has anything to do on an end when its turn
	// comes; nil means always. A tear-down step has nothing to do if the run
	// failed before the object was made.
	If func(*End) bool
	// Calls tells how many calls the step will make on an end, if that is known
	// when it begins; nil means it is not.
	Calls func(*End) int
	// Do makes the calls.
	Do func(context.Context, *End) error
	// ByHand makes one round of a step that all ends take together, one end after
	// the other, so that each call can be held by itself; more is false when there
	// was none left. It is asked while the step is entered; what is left is done by
	// Do. nil means that the step cannot be entered.
	ByHand func(context.Context, []*End) (more bool, err error)
}

// Tour is an ordered list of steps with a name.
type Tour struct {
	Name  string
	Steps []Step
}

// Stop is a step at one place of a run: on one end, or on all ends together.
type Stop struct {
	Index int // place in the run, from 0
	Step  *Step
	Ends  []*End
}

// Name returns "client/qp_rtr", or the step alone if all ends take it together.
func (s *Stop) Name() string {
	if len(s.Ends) != 1 {
		return s.Step.ID
	}
	return string(s.Ends[0].Role) + "/" + s.Step.ID
}

// Stops returns the run of a tour on these ends: every step that the options
// ask for, once for each end it belongs to.
func (t *Tour) Stops(opts *Options, ends []*End) []Stop {
	var stops []Stop
	add := func(s *Step, on ...*End) {
		stops = append(stops, Stop{Index: len(stops), Step: s, Ends: on})
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.When != nil && !s.When(opts) {
			continue
		}
		if s.Together {
			add(s, ends...)
			continue
		}
		for _, e := range ends {
			if s.On == "" || s.On == e.Role {
				add(s, e)
			}
		}
	}
	return stops
}
