package tui

import (
	"fmt"
	"slices"
	"strings"

	"ibtour/steps"
	"ibtour/verbs/kernel"
	"ibtour/verbs/trace"
)

// layer is one of those a call can go through.
type layer int

// The layers, from above.
const (
	layerApplication layer = iota
	layerLibrary
	layerProvider
	layerKernel
	layerAdapter
)

// dataPath are the verbs that work on mapped queues.
var dataPath = []string{"ibv_post_send", "ibv_post_recv", "ibv_poll_cq", "ibv_req_notify_cq"}

// local are the verbs that libibverbs answers by itself.
var local = []string{"ibv_free_device_list", "ibv_ack_cq_events"}

// touch is what is known of a layer and a call: whether it has part in it, and
// the words for it. The upper layers follow from how verbs are called. Of the
// kernel only what was observed counts, and an adapter cannot be observed.
func (v *view) touch(l layer, c *call) (ink, string) {
	yes := func(touched bool) (ink, string) {
		if touched {
			return v.s.now, v.t.layerTouched
		}
		return v.s.soft, v.t.layerNot
	}
	system := c.c.Layer == trace.System
	switch l {
	case layerLibrary:
		return yes(!system)
	case layerProvider:
		return yes(!system && !slices.Contains(local, c.c.Op) && c.c.Op != "ibv_get_device_list" && c.c.Op != "ibv_get_cq_event")
	case layerKernel:
		return v.touchKernel(c)
	case layerAdapter:
		if !v.model.device.Soft && !system && !slices.Contains(local, c.c.Op) {
			return v.s.soft, v.t.layerHidden
		}
		return yes(!system && !slices.Contains(local, c.c.Op))
	case layerApplication:
	}
	return yes(true)
}

func (v *view) touchKernel(c *call) (ink, string) {
	switch {
	case !v.made(c):
		return v.s.soft, v.t.layerAhead
	case c.seen == nil, c.seen.Unwatched != nil:
		return v.s.soft, v.t.layerUnseen
	}
	n := 0
	for i := range c.seen.Syscalls {
		if s := &c.seen.Syscalls[i]; c.c.Layer == trace.System || s.RDMA() || s.Socket() {
			n++
		}
	}
	if n == 0 {
		return v.s.soft, v.t.layerNone
	}
	return v.s.now, fmt.Sprintf(v.t.layerSeen, n)
}

// made tells whether a call was made at the moment shown.
func (v *view) made(c *call) bool {
	if at := v.enteredCall(); at != nil {
		return c.nth < at.nth && c.done
	}
	return c.done && (v.m.after || !v.visit.done)
}

// layers draws which layers the calls of the step touched, and what shows it.
// Of an entered step it is the call made last.
func (v *view) layers(w, h int) []string {
	shown := v.layerCallsShown()
	if len(shown) == 0 {
		return v.wrapped(v.s.soft, v.t.layerNoCall, w)
	}
	out := v.stack(shown[0], w, h < roomForRules)
	out = append(out, "", v.s.strong.of(v.t.layerEvidence))
	for i, c := range shown {
		if len(shown) > 1 {
			out = append(out, wrap("  "+v.s.strong.of(c.c.Op), w, 4)...)
		}
		out = append(out, v.evidence(c, i == 0, w)...)
	}
	return append(out, v.outlook(shown[0], w)...)
}

// layerCallsShown are the calls to show: all of the step that were watched, or
// the one to come.
func (v *view) layerCallsShown() (shown []*call) {
	if at := v.enteredCall(); at != nil {
		if made := v.madeBefore(at); len(made) > 0 {
			return made[len(made)-1:]
		}
		return []*call{at}
	}
	for i := range v.visit.calls {
		c := &v.visit.calls[i]
		if len(shown) == 0 || c.seen != nil && v.made(c) {
			shown = append(shown, c)
		}
	}
	if len(shown) == 0 && v.visit.together { // its calls are made too fast to be told one by one
		shown = append(shown, &call{c: &trace.Call{Op: "ibv_post_send", Layer: trace.Verbs}, end: steps.Client})
	}
	return shown
}

// roomForRules is the height from which the layers stand apart.
const roomForRules = 24

// stack draws the layers as boxes, with a rule between two unless it is to be
// low.
func (v *view) stack(c *call, w int, low bool) []string {
	title := v.s.strong.of(c.c.Op)
	if c.nth > 0 && (c.entered || v.m.call > 0) {
		title += v.s.soft.of(" · " + v.callText(c))
	}
	out := []string{title}
	boxW := min(w-2, 56)
	for i, name := range v.t.layers {
		pen, say := v.touch(layer(i), c)
		edge := v.s.faint
		if pen == v.s.now {
			edge = v.s.now
		}
		top := "├" + strings.Repeat("─", boxW-2) + "┤"
		if i == 0 {
			top = "┌" + strings.Repeat("─", boxW-2) + "┐"
		}
		if i == 0 || !low {
			out = append(out, v.s.faint.of(top))
		}
		out = append(out, edge.of("│")+" "+spread(pen.of(name), v.s.soft.of(say), boxW-4)+" "+edge.of("│"))
	}
	return append(out, v.s.faint.of("└"+strings.Repeat("─", boxW-2)+"┘"))
}

// evidence is what was observed of the way a call took.
func (v *view) evidence(c *call, first bool, w int) []string {
	var out []string
	say := func(text string) { out = append(out, wrap("  "+text, w, 4)...) }
	if v.made(c) && c.seen != nil {
		if first && c.c.Repeat > 1 {
			say(v.s.soft.of(fmt.Sprintf(v.t.layerRepeats, c.c.Repeat)))
		}
		v.watched(c.seen, first, say)
	}
	if first {
		for _, ch := range v.list {
			if strings.HasPrefix(ch.Name, "kernel.") || ch.Name == "process.pinned_bytes" {
				say(v.s.changed.of(ch.Name + " " + ch.From + " → " + ch.To))
			}
		}
	}
	if v.made(c) && c.c.Duration > 0 && c.c.Repeat <= 1 {
		say(v.s.soft.of(c.c.Op+": ") + tidy(c.c.Duration))
	}
	return out
}

// watched says what the kernel showed of a call.
func (v *view) watched(s *kernel.Seen, first bool, say func(string)) {
	switch {
	case s.Unwatched != nil && first:
		say(v.s.soft.of(steps.UnwatchedText(s.Unwatched, v.t.lang) + " · " + fmt.Sprintf(v.t.layerTrace, v.model.pid)))
	case s.Unwatched != nil:
	case len(s.Syscalls) == 0:
		say(v.s.now.of("∅ ") + v.t.layerNoCalls)
	default:
		say(v.s.soft.of(v.t.layerCalls))
		for i := range s.Syscalls {
			say(v.s.now.of("→ ") + s.Syscalls[i].String())
		}
	}
	if s.Lost > 0 {
		say(v.s.fault.of(fmt.Sprintf(v.t.layerLost, s.Lost)))
	}
	for _, f := range s.Opened {
		say(v.s.changed.of("+ ") + v.s.soft.of(v.t.layerOpened+" ") + f.String())
	}
	for _, f := range s.Closed {
		say(v.s.changed.of("− ") + v.s.soft.of(v.t.layerClosed+" ") + f.String())
	}
	for _, m := range s.Mapped {
		say(v.s.changed.of("+ ") + v.s.soft.of(v.t.layerMapped+" ") + m.String())
	}
	for _, m := range s.Unmapped {
		say(v.s.changed.of("− ") + v.s.soft.of(v.t.layerUnmapped+" ") + m.String())
	}
	if len(s.Others) > 0 {
		var names []string
		for _, o := range s.Others {
			names = append(names, o.String())
		}
		say(v.s.soft.of(fmt.Sprintf(v.t.layerOthers, strings.Join(names, ", "))))
	}
}

// outlook is what is known of such calls besides: which way they take by the
// design of verbs, and the descriptors that lead into the kernel.
func (v *view) outlook(c *call, w int) []string {
	text := v.t.layerControl
	switch {
	case c.c.Layer == trace.System:
		text = v.t.layerSystem
	case v.model.device.Soft:
		text = v.t.layerSoft
	case slices.Contains(dataPath, c.c.Op):
		text = v.t.layerBypass
	}
	out := append([]string{""}, v.wrapped(v.s.soft, "  "+text, w)...)
	if e := endOf(v.now, v.role()); e != nil && e.Device != nil {
		fds := v.t.layerNoFD
		if f := e.Device.FDs; f.Cmd >= 0 {
			fds = fmt.Sprintf(v.t.layerFD, f.Cmd, f.Async)
		}
		out = append(out, wrap("  "+fds, w, 2)...)
	}
	return out
}
