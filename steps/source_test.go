package steps

import (
	"strings"
	"testing"
)

// Every step shows the function it runs, in a file of its own, short enough
// for a screen.
func TestSource(t *testing.T) {
	for _, s := range RCPingPong.Steps {
		src, err := Source(s.ID)
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.HasPrefix(src, "// ") || !strings.Contains(src, "context.Context, e *End)") || !strings.HasSuffix(src, "}") {
			t.Errorf("the source of %s is not a commented step:\n%s", s.ID, src)
		}
		if n := strings.Count(src, "\n") + 1; n > 34 {
			t.Errorf("the source of %s has %d lines, want at most 34", s.ID, n)
		}
	}
}

func TestSourceOfNothing(t *testing.T) {
	if _, err := Source("no_such_step"); err == nil {
		t.Error("a step that does not exist has a source")
	}
}
