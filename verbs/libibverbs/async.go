//go:build linux && !android && (amd64 || arm64)

package libibverbs

import "ibtour/verbs"

// asyncElement is what an event is about: a pointer to a queue pair, a
// completion queue or a shared receive queue, or the number of a port.
type asyncElement uintptr

// GetAsyncEvent waits for an asynchronous event of the device or for stop,
// then calls ibv_get_async_event.
func (c *deviceContext) GetAsyncEvent(stop <-chan struct{}) (verbs.AsyncEvent, error) {
	e, done, err := borrow[cAsyncEvent](&c.lib.scratch)
	if err != nil {
		return verbs.AsyncEvent{}, err
	}
	defer done()
	err = take(int(c.ops.asyncFD), stop, func() error {
		return c.lib.minusOne(&c.lib.getAsyncEvent, c.addr, addrOf(e))
	})
	if err != nil {
		return verbs.AsyncEvent{}, err
	}
	return e.event(), nil
}

// event tells what the union of struct ibv_async_event holds
// (ibv_get_async_event(3)). A queue pair lives at least until its events are
// acknowledged, so its number can be read.
func (e *cAsyncEvent) event() verbs.AsyncEvent {
	ev := verbs.AsyncEvent{
		Type: verbs.EventType(e.eventType), QPN: 0, Port: 0, Element: asyncElement(e.element),
	}
	switch ev.Type {
	case verbs.EventQPFatal, verbs.EventQPReqErr, verbs.EventQPAccessErr, verbs.EventCommEst,
		verbs.EventSQDrained, verbs.EventPathMig, verbs.EventPathMigErr, verbs.EventQPLastWQEReached:
		ev.QPN = verbs.QPN(at[cQP](e.element).qpNum)
	case verbs.EventPortActive, verbs.EventPortErr, verbs.EventLIDChange, verbs.EventPKeyChange,
		verbs.EventSMChange, verbs.EventClientReregister, verbs.EventGIDChange:
		ev.Port = uint8(e.element)
	case verbs.EventCQErr, verbs.EventDeviceFatal, verbs.EventSRQErr, verbs.EventSRQLimitReached,
		verbs.EventWQFatal:
	}
	return ev
}

// AckAsyncEvent calls ibv_ack_async_event.
func (c *deviceContext) AckAsyncEvent(ev verbs.AsyncEvent) {
	e, done, err := borrow[cAsyncEvent](&c.lib.scratch)
	if err != nil {
		return // no memory for sixteen bytes
	}
	defer done()
	e.element, e.eventType = uintptr(ev.Element.(asyncElement)), uint32(ev.Type)
	c.lib.void(&c.lib.ackAsyncEvent, addrOf(e))
}
