package handout

import (
	"fmt"
	"strings"
	"time"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// events writes what happened in a step: calls that follow each other in one
// block of code, and the rest as paragraphs.
func (d *Document) events(list []steps.Event) {
	var code []string
	flush := func() {
		if len(code) > 0 {
			d.write("```c\n%s\n```", strings.Join(code, "\n"))
		}
		code = nil
	}
	for i := range list {
		ev := &list[i]
		if ev.Call == nil {
			flush()
			d.event(ev)
			continue
		}
		if ev.Kind == steps.CallRepeated {
			code = append(code, "// "+fmt.Sprintf(d.text.repeated, ev.Call.Repeat, duration(ev.Call.Duration)))
			continue
		}
		code = append(code, d.call(ev.Call)...)
	}
	flush()
}

// call is a call in C with what it returned.
func (d *Document) call(c *trace.Call) []string {
	result := "// = " + c.Result
	if c.Errno != "" {
		result += "  errno " + c.Errno
	}
	return append(c.Lines(), result+"    ("+duration(c.Duration)+")")
}

// duration is a time to three digits or so.
func duration(t time.Duration) string {
	switch {
	case t >= time.Second:
		return fmt.Sprintf("%.2f s", t.Seconds())
	case t >= time.Millisecond:
		return fmt.Sprintf("%.2f ms", t.Seconds()*1e3)
	case t >= time.Microsecond:
		return fmt.Sprintf("%.2f µs", t.Seconds()*1e6)
	}
	return fmt.Sprintf("%d ns", t.Nanoseconds())
}

// event writes what happened besides a call.
func (d *Document) event(ev *steps.Event) {
	switch detail := ev.Detail.(type) {
	case trace.StateChange:
		d.transition(detail)
	case trace.Completion:
		d.completion(detail)
	}
	if ev.Text != "" {
		d.write("> %s", escape(ev.Text))
	}
	if ev.Address != nil {
		lines := d.text.local + " " + ev.Address.Local.String()
		if ev.Address.Peer != nil {
			lines += "\n" + d.text.remote + " " + ev.Address.Peer.String()
		}
		d.write("```\n%s\n```", lines)
	}
}

// transition writes a move of a queue pair: its drawing, and what the move
// takes by the rules.
func (d *Document) transition(c trace.StateChange) {
	d.write("**QP 0x%06x: %s → %s**", c.QPN, c.From, c.To)
	d.write("```%s %s %s\n%s\n```", drawingLang, c.From, c.To, Drawing(c.From, c.To))
	if must := required(c); must != 0 {
		d.write("%s `%v`", d.text.required, must)
	}
}

// required returns the attributes that a move of a reliable connection must be
// given.
func required(c trace.StateChange) verbs.AttrMask {
	for from := verbs.QPSReset; from <= verbs.QPSErr; from++ {
		for _, t := range verbs.TransitionsFrom(verbs.QPTRC, from) {
			if from.Short() == c.From && t.To.Short() == c.To {
				return t.Required
			}
		}
	}
	return 0
}

func (d *Document) completion(c trace.Completion) {
	text := fmt.Sprintf("`wr_id` %d, `%s`", c.WRID, c.Status)
	if c.Opcode != "" {
		text += ", `" + c.Opcode + "`"
	}
	if strings.HasPrefix(c.Opcode, "IBV_WC_RECV") {
		text += ", " + fmt.Sprintf(d.text.bytes, c.ByteLen)
	}
	d.write("%s %s", d.text.completion, text)
}
