package tui

// note draws the annotation of the step: the core first, the sections below;
// above it, why the step failed, if it did.
func (v *view) note(w int) []string {
	w = min(w, textW)
	var out []string
	if v.visit.err != nil && v.m.after && !v.visit.torn {
		out = append(out, v.failure(w)...)
	}
	p, ok := v.page()
	if !ok {
		return append(out, v.wrapped(v.s.text, v.visit.title, w)...)
	}
	return append(out, v.model.md.page(p, w)...)
}

// textW is the widest column that is read with ease.
const textW = 100
