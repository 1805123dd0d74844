package main

import (
	"fmt"

	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

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
	if p.Note != "" {
		text += "  (" + p.Note + ")"
	}
	return text
}
