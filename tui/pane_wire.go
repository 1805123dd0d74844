package tui

import (
	"fmt"
	"strings"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/trace"
	"ibtour/verbs/wire"
)

// wire draws the packets between the two ends as a ladder; the chosen one
// opens field by field.
func (v *view) wire(w, h int) []string {
	n := v.model.packetsSeen()
	if n == 0 {
		return v.noPackets(w)
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

// noPackets says why there are none.
func (v *view) noPackets(w int) []string {
	c := &v.h.capture
	none := v.wrapped(v.s.soft, v.t.wireNone, w)
	why := ""
	switch {
	case v.model.device.Soft:
		return none
	case c.State == trace.CaptureOpen:
		return append(v.wrapped(v.s.strong, v.source(), w), none...)
	case c.State == trace.CaptureAdapter:
		why = fmt.Sprintf(v.t.wireAdapter, c.Device, c.Driver)
	case c.State == trace.CaptureLoopback:
		why = fmt.Sprintf(v.t.wireLoopback, c.Device)
	case c.State == trace.CaptureRefused:
		why = fmt.Sprintf(v.t.wireRefused, c.On, v.model.program)
	case c.State == trace.CaptureFailed:
		why = fmt.Sprintf(v.t.wireFailed, c.Error)
	default:
		return append(none, v.wrapped(v.s.soft, v.t.wireUnsettled, w)...)
	}
	var out []string
	for part := range strings.SplitSeq(why, "\n") {
		out = append(out, v.wrapped(v.s.text, part, w)...)
	}
	return append(append(out, ""), v.wrapped(v.s.soft, v.t.wireSpec, w)...)
}

// source says where the packets come from.
func (v *view) source() string {
	if on := v.h.capture.On; on != "" {
		return fmt.Sprintf(v.t.wireCaptured, on)
	}
	return fmt.Sprintf(v.t.wireOwn, v.model.device.Name)
}

// rungs draws as many packets as there is room for, the chosen one in sight.
func (v *view) rungs(chosen, n, w, h int) []string {
	note := v.wrapped(v.s.soft, v.counted(n), w)
	room := max(h-1-max(len(note), 2), 3) // the head is above
	top := max(min(chosen-room/2-1, n-room), 0)
	out := []string{v.ladderHead(w)}
	for i := top; i < min(top+room, n); i++ {
		out = append(out, v.rung(&v.h.wire.rungs[i], w, i+1 == chosen && v.model.focus == panelWire))
	}
	return append(out, note...)
}

// counted says how many packets are shown, and what is not.
func (v *view) counted(n int) string {
	parts := []string{fmt.Sprintf(v.t.wireSent, n)}
	c := &v.h.capture
	if lost := v.model.skipped + v.h.wire.lost; lost > 0 && v.m.stop >= v.iterateStop() {
		parts[0] += " " + fmt.Sprintf(v.t.wireMore, lost)
	} else if c.Paused && v.m.stop >= v.iterateStop() {
		parts = append(parts, v.t.wirePaused)
	}
	if c.Others > 0 {
		parts = append(parts, fmt.Sprintf(v.t.wireOthers, c.Others))
	}
	if c.State != "" {
		parts = append(parts, fmt.Sprintf(v.t.wireDropped, c.Dropped))
	}
	return strings.Join(append(parts, v.t.wireOpen), " · ")
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

// ladderHead names who stands left and right, and between them the source.
func (v *view) ladderHead(w int) string {
	left, right := v.sides()
	l, r := v.s.strong.of(v.t.roles[left]), v.s.strong.of(v.t.roles[right])
	source := v.source()
	if room := w - width(l) - width(r) - 4; width(source) > room {
		return spread(l, r, w)
	}
	before := max((w-width(source))/2-width(l), 2)
	return spread(l+strings.Repeat(" ", before)+v.s.soft.of(source), r, w)
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
	case v.h.wire.missing(r), r.note != "", r.wrong():
		pen = v.s.fault
	case r.again, r.stop == v.m.stop && v.m.after:
		pen = v.s.changed
	}
	if chosen {
		pen, text = v.s.nowBar, "›"+text
	}
	room := w - 2
	if r.valid() {
		if whole := text + " " + v.t.wireICRC[r.p.Captured.ICRC]; width(whole) <= room-6 {
			text = whole
		}
	}
	if width(text) > room-6 {
		text = fit(text, room-6)
	}
	line := strings.Repeat("─", max(room-width(text)-5, 0))
	if v.toRight(r) {
		head := "▶"
		if v.h.wire.missing(r) {
			head = "✗"
		}
		return v.s.faint.of("│") + v.s.faint.of("── ") + pen.of(text) + v.s.faint.of(" "+line) + v.s.faint.of(head) + v.s.faint.of("│")
	}
	head := "◀"
	if v.h.wire.missing(r) {
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
	case v.h.wire.missing(r):
		parts = append(parts, v.t.wireLost)
	}
	if c := r.p.Captured; c != nil && !r.valid() {
		parts = append(parts, v.t.wireICRC[c.ICRC])
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
	out = append(out, v.capturedHow(r, w)...)
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

// capturedHow says what a capture knows of a packet besides its fields.
func (v *view) capturedHow(r *rung, w int) []string {
	c := r.p.Captured
	if c == nil {
		return nil
	}
	way := v.t.wireComing
	if r.p.Sent {
		way = v.t.wireLeaving
	}
	parts := []string{fmt.Sprintf(v.t.wireCaptured, c.On), way, r.p.At.Format("15:04:05.000000"), v.t.wireICRC[c.ICRC]}
	switch {
	case c.Offloaded:
		parts = append(parts, v.t.wireOffload)
	case c.Checksum == 0:
		parts = append(parts, v.t.wireNoSum)
	default:
		parts = append(parts, fmt.Sprintf(v.t.wireSum, c.Checksum))
	}
	if c.Missing > 0 {
		parts = append(parts, fmt.Sprintf(v.t.wireMissing, c.Missing))
	}
	return v.wrapped(v.s.soft, strings.Join(parts, " · "), w)
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
