package softroce

import "ibtour/verbs"

// channel is a completion channel. It has no file descriptor: the events stay
// in this process.
type channel struct {
	ctx    *devContext
	events *eventQueue[*cq]
	cqs    int // queues that use it
	dead   bool
}

func (d *device) createChannel(ctx *devContext) (*channel, error) {
	if len(ctx.channels) >= maxChannels {
		return nil, errMFile
	}
	ch := &channel{ctx: ctx, events: newEventQueue[*cq]()}
	ctx.channels[ch] = struct{}{}
	return ch, nil
}

func (d *device) destroyChannel(ch *channel) error {
	if ch.cqs > 0 {
		return errBusy
	}
	ch.dead = true
	ch.events.close()
	delete(ch.ctx.channels, ch)
	return nil
}

// getEvent waits for an event of any queue of the channel.
func (d *device) getEvent(ch *channel, stop <-chan struct{}) (*cq, error) {
	if q, ok := ch.events.take((*cq).tookEvent); ok {
		return q, nil
	}
	d.beginWait()
	defer d.endWait()
	return ch.events.wait(stop, (*cq).tookEvent)
}

// armState says which completion raises the next event of a queue.
//
//	      ReqNotify(solicited)        ReqNotify(any)
//	quiet ───────────────────▶ solicited ──────────▶ any
//	  ▲                            │                  │
//	  └────────── event ◀──────────┴──────────────────┘
type armState uint8

const (
	armNone armState = iota
	armSolicited
	armAny
)

// raises reports whether a completion raises an event. Errors always do
// (IBTA vol. 1, 11.4.2.2).
func (a armState) raises(wc *verbs.WC, solicited bool) bool {
	switch a {
	case armAny:
		return true
	case armSolicited:
		return solicited || wc.Status != verbs.WCSuccess
	case armNone:
	}
	return false
}
