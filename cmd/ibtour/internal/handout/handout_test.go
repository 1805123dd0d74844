package handout_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ibtour/annotations"
	"ibtour/cmd/ibtour/internal/handout"
	"ibtour/steps"
)

// The document of a real run is looked at by the tests of cmd/ibtour, which can
// choose a device.

func ExampleDrawing() {
	fmt.Println(handout.Drawing("INIT", "RTR"))
	// Output:
	// RESET  ──▶  INIT  ══▶ [RTR] ──▶  RTS  ◀─▶  SQD
	//    ▲                               │
	//    │                               ▼
	//    └───────────────────────────── ERR
}

// TestDrawings makes sure that text and picture show every state once, and the
// new one as such.
func TestDrawings(t *testing.T) {
	states := []string{"RESET", "INIT", "RTR", "RTS", "SQD", "ERR"}
	for _, to := range states {
		text, svg := handout.Drawing("RESET", to), handout.SVG("RESET", to)
		for _, s := range states {
			if strings.Count(text, s) != 1 || strings.Count(svg, ">"+s+"<") != 1 {
				t.Errorf("%s is not there once:\n%s\n%s", s, text, svg)
			}
		}
		if !strings.Contains(text, "["+to+"]") || strings.Count(svg, `class="now"`) != 1 {
			t.Errorf("%s is not marked:\n%s\n%s", to, text, svg)
		}
	}
}

func TestEmptyRun(t *testing.T) {
	book, err := annotations.Load(annotations.English)
	if err != nil {
		t.Fatal(err)
	}
	opts := steps.DefaultOptions()
	if _, err := handout.New(handout.NewRun(&opts, "test"), book); !errors.Is(err, handout.ErrEmpty) {
		t.Errorf("New of an empty run = %v, want ErrEmpty", err)
	}
}
