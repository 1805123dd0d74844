package tui

import (
	"fmt"
	"strings"
)

// enteredCall returns the call that is about to be made at the moment shown, if
// its step is entered or was.
func (v *view) enteredCall() *call {
	switch {
	case v.m.after:
		return nil
	case v.m.call > 0:
		return v.visit.numbered(v.m.call)
	}
	for i := range v.visit.calls {
		if v.visit.calls[i].entered && !v.visit.together {
			return &v.visit.calls[0] // it is shown with the step, and the second by itself
		}
	}
	return nil
}

// callText says which call of the step it is.
func (v *view) callText(c *call) string {
	if c.of > 0 {
		return fmt.Sprintf(v.t.callOf, c.nth, c.of)
	}
	return fmt.Sprintf(v.t.callNth, c.nth)
}

// callByCall draws a call of an entered step that is about to be made, and
// those that were, the latest first.
func (v *view) callByCall(c *call, w int) []string {
	head := "  " + v.s.strong.of(v.callText(c))
	if n := c.round; n != "" {
		head += v.s.soft.of(" · " + n)
	}
	out := wrap(head, w, 4)
	out = append(out, v.drawCall(c, false, w)...)
	made := v.madeBefore(c)
	if len(made) == 0 {
		return append(out, v.wrapped(v.s.soft, "  "+v.t.callsByHand, w)...)
	}
	if v.m.call > 0 {
		out = append(out, v.changed(w)...)
	}
	out = append(out, "", "  "+v.s.strong.of(v.t.callsMade))
	for i := len(made) - 1; i >= 0; i-- {
		out = append(out, v.madeLine(made[i], w)...)
	}
	return append(out, v.wrapped(v.s.soft, "  "+v.t.callsByHand, w)...)
}

// madeBefore returns the calls of the step before one, oldest first.
func (v *view) madeBefore(c *call) (made []*call) {
	for i := range v.visit.calls {
		if o := &v.visit.calls[i]; o.nth > 0 && o.nth < c.nth && o.done {
			made = append(made, o)
		}
	}
	return made
}

// madeLine draws a call that was made in a line.
func (v *view) madeLine(c *call, w int) []string {
	result := strings.TrimLeft(v.outcome(c.c, w)[0], " ")
	line := "  " + v.s.soft.of(fmt.Sprintf("%d ", c.nth))
	if v.visit.together {
		line += v.s.soft.of(v.t.roles[c.end] + " ")
	}
	return wrap(line+v.s.strong.of(c.c.Op)+" "+result, w, 4)
}

// repeatsAhead says that the call about to be made is the first of several,
// and how they can be gone through.
func (v *view) repeatsAhead(w int) []string {
	if v.m.after || len(v.visit.calls) == 0 || v.visit.done {
		return nil
	}
	if c := &v.visit.calls[0]; !c.done && c.of > 1 {
		return append([]string{""}, v.wrapped(v.s.soft, "  "+fmt.Sprintf(v.t.callsAhead, c.of, v.model.keys.Into.Help().Key), w)...)
	}
	return nil
}
