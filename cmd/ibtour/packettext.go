package main

import (
	"fmt"
	"os"

	"ibtour/verbs/capture"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// captureText says whether packets are captured, and if not, why; nothing where
// that is not settled.
func (w *wording) captureText(c trace.Capture) string {
	switch c.State {
	case trace.CaptureOpen:
		return w.captured.With(c.On)
	case trace.CaptureAdapter:
		return w.notByAdapter.With(c.Device, c.Driver)
	case trace.CaptureLoopback:
		return w.notInDevice.With(c.Device)
	case trace.CaptureRefused:
		program, err := os.Executable()
		if err != nil {
			program = "ibtour"
		}
		return w.notPermitted.With(c.Device, program)
	case trace.CaptureFailed:
		return w.notCaptured.With(c.Device, c.Error)
	}
	return ""
}

// captureCount says what a capture did not show, nothing if that is nothing.
func (w *wording) captureCount(c trace.Capture) string {
	if c.Others == 0 && c.Dropped == 0 {
		return ""
	}
	return w.captureLeft.With(c.On, c.Others, c.Dropped)
}

// packetText describes a packet in one line.
func (w *wording) packetText(p trace.Packet) string {
	pkt, err := wire.Parse(p.Data)
	if err != nil {
		return fmt.Sprintf("%s → %s: %v", p.From, p.To, err)
	}
	text := fmt.Sprintf("→ QP %v  %v  PSN %v", pkt.DestQP, pkt.Opcode, pkt.PSN)
	if n := len(pkt.Payload); n > 0 {
		text += "  " + w.size.With(n)
	}
	if pkt.AckReq {
		text += "  " + w.askACK
	}
	if pkt.Opcode.Headers()&wire.HasAETH != 0 {
		text += fmt.Sprintf("  %v, MSN %d", pkt.AETH.Syndrome, pkt.AETH.MSN)
	}
	if c := p.Captured; c != nil && c.ICRC != string(capture.ICRCValid) {
		text += "  ICRC " + c.ICRC
	}
	if p.Note != "" {
		text += "  (" + p.Note + ")"
	}
	return text
}
