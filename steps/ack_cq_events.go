package steps

import "context"

// ackCQEvents acknowledges all events at once: a queue with an event that is
// not acknowledged cannot be destroyed.
func ackCQEvents(_ context.Context, e *End) error {
	return e.CQ.AckEvents()
}
