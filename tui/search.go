package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"ibtour/annotations"
)

// searchBox finds steps and texts.
type searchBox struct {
	input textinput.Model
	hits  []found
	at    int
}

// found is a step of the run, or a place in the texts.
type found struct {
	stop int // -1 for a text
	hit  annotations.Hit
	text string
}

// mostHits is how many are listed.
const mostHits = 40

func newSearchBox(m *model) searchBox {
	in := textinput.New()
	in.Prompt = "/ "
	in.Width = 40
	in.Focus()
	in.TextStyle = m.renderer.NewStyle()
	in.Cursor.Style = m.renderer.NewStyle().Reverse(true)
	return searchBox{input: in}
}

func (m *model) pressSearch(msg tea.KeyMsg) tea.Cmd {
	s := &m.search
	switch msg.String() {
	case "esc":
		m.overlay = overlayNone
	case "up":
		s.at = max(s.at-1, 0)
	case "down":
		s.at = min(s.at+1, max(len(s.hits)-1, 0))
	case "enter":
		m.openHit()
	default:
		s.input, _ = s.input.Update(msg) // its command only blinks the cursor
		s.hits, s.at = m.find(s.input.Value()), 0
	}
	return nil
}

// openHit goes to the step that was found, or opens the page.
func (m *model) openHit() {
	s := &m.search
	if len(s.hits) == 0 {
		m.flash = m.text.searchNone
		return
	}
	h := s.hits[s.at]
	if h.stop >= 0 {
		m.overlay, m.pick = overlayNone, h.stop
		m.show(panelSteps)
		return
	}
	if p, ok := m.book().Open(h.hit.Kind, h.hit.ID); ok {
		m.setPage(p)
	}
}

// find returns the steps with the word in their name, then the texts.
func (m *model) find(word string) []found {
	word = strings.TrimSpace(word)
	if word == "" {
		return nil
	}
	var out []found
	v := m.look()
	low := strings.ToLower(word)
	for i := range m.hist.visits {
		s := &m.hist.visits[i]
		name := s.id + " " + v.stepTitle(s)
		if strings.Contains(strings.ToLower(name+" "+s.title), low) {
			who := ""
			if len(s.roles) == 1 {
				who = m.text.roles[s.roles[0]] + "  "
			}
			out = append(out, found{stop: i, text: who + name})
		}
	}
	for _, h := range m.book().Find(word) {
		text := h.Title
		if h.Section != "" {
			text += " · " + h.Section
		}
		first, _, _ := strings.Cut(annotations.Plain(h.Excerpt), "\n")
		out = append(out, found{stop: -1, hit: h, text: text + "  " + first})
		if len(out) >= mostHits {
			break
		}
	}
	return out
}

func (m *model) searchView(w, h int) []string {
	s, t, st := &m.search, m.text, m.styles
	out := []string{"  " + s.input.View(), "  " + st.soft.of(t.searchHint), ""}
	if s.input.Value() != "" && len(s.hits) == 0 {
		out = append(out, "  "+st.soft.of(t.searchNone))
	}
	room := max(h-len(out)-1, 1)
	top := max(min(s.at-room/2, len(s.hits)-room), 0)
	for i := top; i < min(top+room, len(s.hits)); i++ {
		hit := s.hits[i]
		kind := t.searchText
		if hit.stop >= 0 {
			kind = t.searchStep
		}
		line := fit(" "+fit(kind, 6)+hit.text, w-3)
		if i == s.at {
			line = st.nowBar.of("›" + line[1:])
		}
		out = append(out, " "+line)
	}
	return out
}
