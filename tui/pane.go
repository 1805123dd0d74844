package tui

import (
	"ibtour/annotations"
	"ibtour/steps"
)

// view is what the panels of one frame are drawn from. Its methods return
// whole lines and change nothing.
type view struct {
	model       *model
	t           *text
	s           *styles
	h           *history
	m           moment
	visit       *visit
	now, before *steps.Snapshot
	list        []steps.Change          // made by the step shown, or by the call before the one shown
	changes     map[string]steps.Change // the same, by name
}

// content returns what a panel of w cells shows; h is how many lines of it.
func (v *view) content(p panel, w, h int) sheet {
	if p == panelMemory {
		return v.memory(w, h)
	}
	return written(v.panel(p, w, h))
}

// panel returns the lines of a panel that are written whole.
func (v *view) panel(p panel, w, h int) []string {
	switch p {
	case panelSteps:
		return v.stepList(w, h)
	case panelNote:
		return v.note(w)
	case panelCall:
		return v.callPanel(w, h)
	case panelObjects:
		return v.perEnd(w, h, v.objects)
	case panelQP:
		return v.machine(w)
	case panelQueues:
		return v.queues(w, h)
	case panelWire:
		return v.wire(w, h)
	case panelLayers:
		return v.layers(w, h)
	case panelKernel:
		return v.kernel(w)
	case panelMemory, panelCount:
	}
	return nil
}

func (v *view) titleOf(p panel) string {
	switch {
	case p == panelNote:
		return v.pageTitle()
	case p == panelCall && v.model.source:
		return v.t.source
	case p == panelCall && v.visit.together:
		return v.t.resultTitle
	}
	return v.t.panels[p]
}

// role is the end whose step is shown; of a step of both, the client.
func (v *view) role() steps.Role {
	if n := len(v.visit.roles); n > 0 {
		return v.visit.roles[n-1]
	}
	return steps.Client
}

// compared tells whether the moment shown is compared with the one before it.
func (v *view) compared() bool { return v.m.after || v.m.call > 0 }

// page returns the text of the step shown, with its live values.
func (v *view) page() (annotations.Page, bool) {
	p, ok := v.model.book().Step(v.visit.id)
	if !ok {
		return p, false
	}
	return p.Within(v.now.Has).Fill(v.now.Resolver(v.role())), true
}

func (v *view) pageTitle() string {
	title := v.stepTitle(v.visit)
	if len(v.visit.roles) == 1 && len(v.model.roles) == 2 {
		title += " · " + v.t.roles[v.visit.roles[0]]
	}
	return title
}

// stepTitle is the title of a step in the language of the reader.
func (v *view) stepTitle(s *visit) string {
	if p, ok := v.model.book().Step(s.id); ok {
		return p.Title
	}
	return s.title
}

// end returns the state of an end at the moment shown.
func endOf(s *steps.Snapshot, r steps.Role) *steps.EndState {
	if s == nil {
		return nil
	}
	for i := range s.Ends {
		if s.Ends[i].Role == r {
			return &s.Ends[i]
		}
	}
	return nil
}

// leastSide is how wide an end must be to stand beside the other.
const leastSide = 44

// perEnd draws both ends, side by side where there is room. Below each other,
// where not both fit into h lines, the one whose step is shown comes first.
func (v *view) perEnd(w, h int, draw func(steps.Role, int) []string) []string {
	roles := v.model.roles
	if len(roles) == 2 && w >= 2*leastSide+gutter {
		half := (w - gutter) / 2
		left, right := draw(roles[0], half), draw(roles[1], half)
		h := max(len(left), len(right))
		return columns(gutter, block(left, half, h), block(right, half, h))
	}
	if len(roles) == 1 {
		return draw(roles[0], w)
	}
	first, second := draw(roles[0], w), draw(roles[1], w)
	if len(first)+len(second) >= h && len(v.visit.roles) == 1 && v.visit.roles[0] == roles[1] {
		first, second = second, first
	}
	return append(append(first, ""), second...)
}

// endTitle names an end; the one whose step is shown is marked.
func (v *view) endTitle(r steps.Role) string {
	if len(v.visit.roles) == 1 && v.visit.roles[0] == r {
		return v.s.now.of("▸ " + v.t.roles[r])
	}
	return "  " + v.s.strong.of(v.t.roles[r])
}

// wrapped breaks a text to w cells.
func (v *view) wrapped(pen ink, text string, w int) []string {
	lines := wrap(text, w, hangOf(text))
	for i := range lines {
		lines[i] = pen.of(lines[i])
	}
	return lines
}
