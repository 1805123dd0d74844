package tui

import (
	"errors"
	"strings"

	"ibtour/annotations"
	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// failure draws why the step failed: the exact errno or status, what it means
// here, what to check, what both ends saw.
func (v *view) failure(w int) []string {
	err := v.visit.err
	out := []string{v.s.fault.of("✗ " + v.t.failTitle)}
	said := strings.ReplaceAll(err.Error(), "\n", "; ")
	var verr *verbs.Error
	if errors.As(err, &verr) && verr.Hint != "" {
		said = strings.TrimSuffix(said, "; "+verr.Hint) // it stands below
	}
	out = append(out, v.wrapped(v.s.fault, said, w)...)
	if hits := v.meaning(err); len(hits) > 0 {
		out = append(out, "", v.s.strong.of(v.t.failMeaning))
		for _, h := range hits {
			out = append(out, v.model.md.render(h.Excerpt, w)...)
		}
	}
	if verr != nil && verr.Hint != "" {
		out = append(out, "", v.s.strong.of(v.t.failCheck))
		out = append(out, v.wrapped(v.s.text, verr.Hint, w)...)
	}
	out = append(out, "", v.s.strong.of(v.t.failSaw))
	out = append(out, v.saw(w)...)
	return append(out, v.s.faint.of(strings.Repeat("─", w)))
}

// meaning looks the errno or the status up, the page of this step first.
func (v *view) meaning(err error) []annotations.Hit {
	const most = 2
	var all, here []annotations.Hit
	var verr *verbs.Error
	var cerr *verbs.CompletionError
	switch {
	case errors.As(err, &cerr):
		all = v.model.book().Find(cerr.Status.String())
	case errors.As(err, &verr):
		name, _, _ := strings.Cut(verbs.ErrnoText(verr.Errno), " ")
		all = v.model.book().Find(name)
	}
	for _, h := range all {
		if h.ID == v.visit.id {
			here = append(here, h)
		}
	}
	if len(here) > 0 {
		all = here
	}
	return all[:min(len(all), most)]
}

// saw tells the state of each end, and the last thing it completed or was told.
func (v *view) saw(w int) []string {
	var out []string
	for _, r := range v.model.roles {
		text := v.exists(endOf(v.now, r))
		if last := v.lastSeen(string(r)); last != "" {
			text += " · " + last
		}
		out = append(out, wrap("  "+v.s.soft.of(v.t.roles[r]+": ")+text, w, 4)...)
	}
	return out
}

// exists names the objects of an end, and the state of its queue pair.
func (v *view) exists(e *steps.EndState) string {
	if e == nil || e.Device == nil {
		return v.t.nothingYet
	}
	parts := []string{e.Device.Name}
	for _, o := range []struct {
		name  string
		there bool
	}{{"PD", e.PD}, {"MR", e.MR != nil}, {"CQ", e.CQ != nil}} {
		if o.there {
			parts = append(parts, o.name)
		}
	}
	if e.QP != nil {
		parts = append(parts, "QP "+e.QP.Num.String()+" "+e.QP.Attr.State.Short())
	}
	if e.Peer != nil {
		parts = append(parts, "peer QP "+e.Peer.QPN.String())
	}
	return strings.Join(parts, ", ")
}

// lastSeen is the last completion or call of an end up to the step shown.
func (v *view) lastSeen(role string) string {
	for i := v.m.stop; i >= 0; i-- {
		s := &v.h.visits[i]
		if len(s.roles) != 1 || string(s.roles[0]) != role {
			continue
		}
		for j := len(s.details) - 1; j >= 0; j-- {
			if c, ok := s.details[j].(trace.Completion); ok {
				return c.Opcode + " " + c.Status
			}
		}
		if n := len(s.calls); n > 0 && s.calls[n-1].done {
			c := s.calls[n-1].c
			return strings.TrimSpace(c.Op + " = " + c.Result + " " + c.Errno)
		}
	}
	return ""
}
