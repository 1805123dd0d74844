package tui

import (
	"fmt"
	"slices"
	"strings"

	"ibtour/verbs/trace"
)

// reach says which layers a call touches: application, libibverbs, provider,
// kernel, adapter.
type reach [5]bool

// dataPath are the verbs that work on mapped queues.
var dataPath = []string{"ibv_post_send", "ibv_post_recv", "ibv_poll_cq", "ibv_req_notify_cq"}

// local are the verbs that libibverbs answers by itself.
var local = []string{"ibv_free_device_list", "ibv_ack_cq_events"}

func (v *view) reachOf(c *trace.Call) reach {
	switch {
	case c.Layer == trace.System:
		return reach{true, false, false, true, false}
	case slices.Contains(local, c.Op):
		return reach{true, true, false, false, false}
	case v.model.device.Soft:
		return reach{true, true, true, false, true}
	case c.Op == "ibv_get_device_list", c.Op == "ibv_get_cq_event":
		return reach{true, true, false, true, false}
	case slices.Contains(dataPath, c.Op):
		rxe := strings.HasPrefix(v.model.device.Name, "rxe") && c.Op == "ibv_post_send"
		return reach{true, true, true, rxe, true}
	}
	return reach{true, true, true, true, true}
}

// layers draws which layers the step touched, and what shows it.
func (v *view) layers(w int) []string {
	var c *trace.Call
	switch {
	case len(v.visit.calls) > 0:
		c = v.visit.calls[0].c
	case v.visit.together: // its calls are made too fast to be told one by one
		c = &trace.Call{Op: "ibv_post_send", Layer: trace.Verbs}
	default:
		return v.wrapped(v.s.soft, v.t.layerNoCall, w)
	}
	touched := v.reachOf(c)
	out := []string{v.s.strong.of(c.Op)}
	boxW := min(w-2, 44)
	for i, name := range v.t.layers {
		pen, say := v.s.now, v.t.layerTouched
		if !touched[i] {
			pen, say = v.s.soft, v.t.layerNot
		}
		edge := v.s.faint
		if touched[i] {
			edge = v.s.now
		}
		top := "├" + strings.Repeat("─", boxW-2) + "┤"
		if i == 0 {
			top = "┌" + strings.Repeat("─", boxW-2) + "┐"
		}
		out = append(out, v.s.faint.of(top),
			edge.of("│")+" "+spread(pen.of(name), v.s.soft.of(say), boxW-4)+" "+edge.of("│"))
	}
	out = append(out, v.s.faint.of("└"+strings.Repeat("─", boxW-2)+"┘"), "", v.s.strong.of(v.t.layerEvidence))
	return append(out, v.evidence(c, w)...)
}

// evidence is what was observed of the way a call took.
func (v *view) evidence(c *trace.Call, w int) []string {
	var out []string
	say := func(text string) { out = append(out, wrap("  "+text, w, 2)...) }
	switch {
	case c.Layer == trace.System:
		say(v.t.layerSystem)
	case v.model.device.Soft:
		say(v.t.layerSoft)
	case slices.Contains(dataPath, c.Op):
		say(v.t.layerBypass)
	default:
		say(v.t.layerControl)
	}
	if e := endOf(v.now, v.role()); e != nil && e.Device != nil {
		if f := e.Device.FDs; f.Cmd >= 0 {
			say(fmt.Sprintf(v.t.layerFD, f.Cmd, f.Async))
		} else {
			say(v.t.layerNoFD)
		}
	}
	for _, ch := range v.visit.changes {
		if v.m.after && (strings.HasPrefix(ch.Name, "kernel.") || ch.Name == "process.pinned_bytes") {
			say(v.s.changed.of(ch.Name + " " + ch.From + " → " + ch.To))
		}
	}
	if v.m.after && c.Duration > 0 {
		say(v.s.soft.of(c.Op+": ") + tidy(c.Duration))
	}
	say(v.s.soft.of(fmt.Sprintf(v.t.layerTrace, v.model.pid)))
	return out
}
