package annotations

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/softroce"
)

// walk takes the whole tour on soft0, both ends in this process, and returns
// the values that could be seen before or after each step, by step and name.
func walk(t *testing.T, events bool) map[string]map[string]string {
	t.Helper()
	opts := steps.DefaultOptions()
	opts.Iters, opts.RxDepth, opts.TCPPort, opts.Host = 20, 4, 0, "localhost"
	opts.Walk, opts.Events = true, events
	seen := map[string]map[string]string{}
	r := &steps.Runner{
		Tour: &steps.RCPingPong, Opts: &opts, Driver: softroce.New(softroce.Options{}),
		Roles: []steps.Role{steps.Server, steps.Client}, Observe: true,
		Sink: func(e steps.Event) {
			if e.State == nil {
				return
			}
			if seen[e.Step] == nil {
				seen[e.Step] = map[string]string{}
			}
			for _, f := range e.State.Facts() {
				seen[e.Step][strings.TrimPrefix(f.Name, string(e.End)+".")] = f.Value
			}
		},
	}
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return seen
}

// fromKernel are the values that a device outside the kernel does not have.
func fromKernel(name string) bool {
	return strings.HasPrefix(name, "kernel.") || name == "process.pinned_bytes" || strings.HasPrefix(name, "port.counter.")
}

// TestValuesAppear makes sure that every live value of a page is there before
// or after its step in a real run: a page about the making of an object must
// not show a value that only comes later.
func TestValuesAppear(t *testing.T) {
	seen := walk(t, false)
	for step, values := range walk(t, true) {
		if seen[step] == nil {
			seen[step] = values
		}
	}
	b := mustLoad(t, English)
	for _, id := range slices.Sorted(maps.Keys(seen)) {
		p, _ := b.Step(id)
		for _, name := range p.Placeholders() {
			if v, ok := seen[id][name]; !ok && !fromKernel(name) {
				t.Errorf("%s.md: {{%s}} has no value before or after the step: leave it out, or use one that has", id, name)
			} else if testing.Verbose() {
				t.Logf("%s: %s = %s", id, name, v)
			}
		}
	}
}
