package steps

import (
	"context"

	"ibtour/verbs/trace"
)

// Moment is a place where a run can be held.
type Moment struct {
	Stop *Stop
	// Call is the call about to be made; nil before the step's first one.
	Call *trace.Call
	// Nth is which call of the step it is, from 1, and Of how many there will
	// be, 0 if that is not known ahead.
	Nth, Of int
	// Look observes the state as it is now. It may be called only from within
	// the gate, where the run stands still.
	Look func() *Snapshot
}

// Gate lets a run through to its next moment. It returns an error to end the
// run, usually that of ctx.
type Gate func(ctx context.Context, m Moment) error

// Open is a gate that never holds.
func Open(ctx context.Context, _ Moment) error { return context.Cause(ctx) }
