package tui

import (
	"fmt"
	"strings"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// wire draws the packets between the two ends as a ladder; the chosen one
// opens field by field.
func (v *view) wire(w, h int) []string {
	n := v.model.packetsSeen()
	if !v.model.device.Soft && n == 0 {
		return v.wrapped(v.s.text, v.t.wireHidden, w)
	}
	if n == 0 {
		return v.wrapped(v.s.soft, v.t.wireNone, w)
	}
	chosen := v.model.packet
	if chosen == 0 || chosen > n {
		chosen = n
	}
	if v.model.opened {
		return v.packetOpen(chosen, n, w)
	}
	return v.rungs(chosen, n, w, h)
}

// rungs draws as many packets as there is room for, the chosen one in sight.
func (v *view) rungs(chosen, n, w, h int) []string {
	const around = 3 // the head, and the two lines below
	room := max(h-around, 3)
	top := max(min(chosen-room/2-1, n-room), 0)
	out := []string{v.ladderHead(w)}
	for i := top; i < min(top+room, n); i++ {
		out = append(out, v.rung(&v.h.wire.rungs[i], w, i+1 == chosen && v.model.focus == panelWire))
	}
	note := fmt.Sprintf(v.t.wireSent, n)
	if lost := v.model.skipped + v.h.wire.lost; lost > 0 && v.m.stop >= v.iterateStop() {
		note += " " + fmt.Sprintf(v.t.wireMore, lost)
	}
	return append(out, v.wrapped(v.s.soft, note+" · "+v.t.wireOpen, w)...)
}

// iterateStop is the step at full speed, whose packets are not all kept.
func (v *view) iterateStop() int {
	for i := range v.h.visits {
		if v.h.visits[i].together {
			return i
		}
	}
	return len(v.h.visits)
}

// sides are who stands left and right.
func (v *view) sides() (left, right steps.Role) {
	if len(v.model.roles) == 1 && v.model.roles[0] == steps.Server {
		return steps.Server, steps.Client
	}
	return steps.Client, steps.Server
}

func (v *view) ladderHead(w int) string {
	left, right := v.sides()
	return spread(v.s.strong.of(v.t.roles[left]), v.s.strong.of(v.t.roles[right]), w)
}

// toRight tells the direction of a packet by the queue pair it is for.
func (v *view) toRight(r *rung) bool {
	_, right := v.sides()
	if n, ok := v.number(right); ok {
		return uint32(r.parsed.DestQP) == uint32(n)
	}
	left, _ := v.sides()
	n, ok := v.number(left)
	return !ok || uint32(r.parsed.DestQP) != uint32(n)
}

// number is the queue pair number of an end: of this process, or the peer's
// as this process knows it. It stays known when the queue pair is gone.
func (v *view) number(r steps.Role) (verbs.QPN, bool) {
	for i := len(v.h.visits) - 1; i >= 0; i-- {
		if e := endOf(v.h.visits[i].before, r); e != nil && e.QP != nil {
			return e.QP.Num, true
		}
	}
	return 0, false
}

// rung draws one packet as an arrow with its opcode, PSN and what it carries.
func (v *view) rung(r *rung, w int, chosen bool) string {
	text := v.packetText(r)
	pen := v.s.text
	switch {
	case !r.arrived || r.note != "":
		pen = v.s.fault
	case r.again, r.stop == v.m.stop && v.m.after:
		pen = v.s.changed
	}
	if chosen {
		pen, text = v.s.nowBar, "›"+text
	}
	room := w - 2
	if width(text) > room-6 {
		text = fit(text, room-6)
	}
	line := strings.Repeat("─", max(room-width(text)-5, 0))
	if v.toRight(r) {
		head := "▶"
		if !r.arrived {
			head = "✗"
		}
		return v.s.faint.of("│") + v.s.faint.of("── ") + pen.of(text) + v.s.faint.of(" "+line) + v.s.faint.of(head) + v.s.faint.of("│")
	}
	head := "◀"
	if !r.arrived {
		head = "✗"
	}
	return v.s.faint.of("│") + v.s.faint.of(head+line+" ") + pen.of(text) + v.s.faint.of(" ──") + v.s.faint.of("│")
}

func (v *view) packetText(r *rung) string {
	if r.err != nil {
		return r.err.Error()
	}
	p := &r.parsed
	name := p.Opcode.String()
	if p.Opcode.Kind() == wire.KindAck {
		if name = "ACK"; p.AETH.Syndrome.Kind() != wire.SyndromeACK {
			name = p.AETH.Syndrome.String()
		}
	}
	parts := []string{name, "PSN " + strings.TrimPrefix(p.PSN.String(), "0x")}
	if p.AckReq {
		parts = append(parts, "AckReq")
	}
	if p.Opcode.Kind() == wire.KindAck {
		parts = append(parts, fmt.Sprintf("MSN %d", p.AETH.MSN))
	}
	if len(p.Payload) > 0 {
		parts = append(parts, fmt.Sprintf("%d B", len(p.Payload)))
	}
	switch {
	case r.again:
		parts = append(parts, v.t.wireAgain)
	case !r.arrived:
		parts = append(parts, v.t.wireLost)
	}
	if r.note != "" {
		parts = append(parts, r.note)
	}
	return strings.Join(parts, " ")
}

// packetOpen lists every field of a packet: value, meaning, section, bytes.
func (v *view) packetOpen(chosen, n, w int) []string {
	r := &v.h.wire.rungs[chosen-1]
	out := v.wrapped(v.s.strong, fmt.Sprintf(v.t.wireField, chosen, n, v.packetText(r)), w)
	out = append(out, v.s.soft.of(r.p.From.String()+" → "+r.p.To.String()))
	fields, err := wire.Describe(r.p.Data)
	header := ""
	for i := range fields {
		f := &fields[i]
		if f.Header != header {
			header = f.Header
			out = append(out, v.s.now.of(header)+v.s.soft.of(fmt.Sprintf("  +%d", f.Offset())))
		}
		out = append(out, v.fieldLines(f, w)...)
	}
	if err != nil {
		out = append(out, v.wrapped(v.s.fault, err.Error(), w)...)
	}
	return out
}

func (v *view) fieldLines(f *wire.Field, w int) []string {
	const nameW, valueW, bytesW, wide = 17, 13, 21, 84
	if w >= wide {
		lead := "  " + v.s.soft.of(fit(f.Name, nameW)+fit(bytesText(f), bytesW)) + fit(f.Value, max(valueW, width(f.Value)+1))
		lines := wrap(lead+f.Meaning, w-8, nameW+bytesW+valueW+2)
		lines[0] = spread(lines[0], v.s.soft.of("§"+f.Section), w)
		return lines
	}
	line := "  " + v.s.soft.of(fit(f.Name, nameW-1)) + " " + fit(f.Value, max(valueW, width(f.Value)+1))
	tail := v.s.soft.of(bytesText(f) + " §" + f.Section)
	text := f.Meaning
	if text != "" {
		text += "  "
	}
	return wrap(line+text+tail, w, nameW+2)
}

// bytesText writes the bytes of a field, at most eight.
func bytesText(f *wire.Field) string {
	const most = 8
	if len(f.Bytes) > most {
		return fmt.Sprintf("[%x…]", f.Bytes[:most])
	}
	return fmt.Sprintf("[%x]", f.Bytes)
}
