package softroce

import (
	"time"

	"ibtour/verbs/capture"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// taps are the observers of the packets of a device.
type taps struct {
	trace   func(trace.Packet)
	capture *capture.File
}

func newTaps(o *Options) (t taps, err error) {
	t.trace = o.Trace
	if o.Capture != nil {
		t.capture, err = capture.NewEthernetFile(o.Capture)
	}
	return t, err
}

// sent shows a packet that leaves, as it leaves: what the link does to it
// later is seen by the receiver only.
func (t *taps) sent(env *wire.Envelope, b []byte) {
	if t.capture != nil {
		t.capture.WritePacket(env, b, time.Now())
	}
	if t.trace != nil {
		t.offer(env, b, true, "")
	}
}

// received shows a packet that arrived and, if it was dropped, why. A packet
// from memory is in the capture already.
func (t *taps) received(env *wire.Envelope, b []byte, via Link, why dropReason) {
	if _, ours := via.(*memoryLink); t.capture != nil && !ours {
		t.capture.WritePacket(env, b, time.Now())
	}
	if t.trace != nil {
		t.offer(env, b, false, why.String())
	}
}

func (t *taps) offer(env *wire.Envelope, b []byte, sent bool, note string) {
	t.trace(trace.Packet{
		At: time.Now(), Sent: sent, From: env.Src, To: env.Dst, Data: b, Note: note,
	})
}

func (t *taps) close() error {
	if t.capture == nil {
		return nil
	}
	return t.capture.Close()
}
