package steps

import (
	"testing"

	"ibtour/annotations/words/wordstest"
)

func TestWording(t *testing.T) {
	wordstest.Compare(t, english, chinese)
	wordstest.Used(t, english)
	titles := map[string]bool{}
	for i := range RCPingPong.Steps {
		s := &RCPingPong.Steps[i]
		titles[s.Title] = true
		if s.TitleIn("") != s.Title {
			t.Errorf("%s: write the title %q in wording_en.go and wording_zh.go", s.ID, s.Title)
		}
		if s.Phase.In("en") == "" {
			t.Errorf("the phase %s has no name", s.Phase)
		}
	}
	for title := range english.titles {
		if !titles[title] {
			t.Errorf("no step has the title %q", title)
		}
	}
}
