package steps_test

import (
	"slices"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/kernel"
)

func TestObject(t *testing.T) {
	for name, want := range map[string]string{
		"client.qp.num": "client.qp", "server.pd": "server.pd", "kernel.pds": "kernel.pds", "kernel.qp17.state": "kernel.qp17",
	} {
		if got := (steps.Change{Name: name}).Object(); got != want {
			t.Errorf("%s belongs to %s, want %s", name, got, want)
		}
	}
}

// What is counted falls to 0, what is said of an object goes with it; and a
// device outside the kernel has no such counts.
func TestCounts(t *testing.T) {
	none := &steps.Snapshot{Kernel: &kernel.Resources{}}
	one := &steps.Snapshot{Kernel: &kernel.Resources{PDs: []kernel.PD{{PDN: 7, Users: 2}}}}
	made, gone := steps.Diff(none, one), steps.Diff(one, none)
	if want := []steps.Change{{Name: "kernel.pds", To: "1"}, {Name: "kernel.pd7.users", To: "2"}}; !slices.Equal(made, want) {
		t.Errorf("a new domain changes %+v, want %+v", made, want)
	}
	if want := []steps.Change{{Name: "kernel.pds", From: "1", To: "0"}, {Name: "kernel.pd7.users", From: "2"}}; !slices.Equal(gone, want) {
		t.Errorf("without its domain %+v changed, want %+v", gone, want)
	}
	for name, c := range map[string]struct {
		s     *steps.Snapshot
		value string
		known bool
	}{
		"kernel.pds":       {one, "1", true},
		"kernel.qps":       {one, "0", true},
		"kernel.qp9.state": {one, "0", false},
		"kernel.cqs":       {&steps.Snapshot{}, steps.Absent, true},
		"qp.num":           {one, "0", false},
	} {
		if v, known := c.s.Resolver(steps.Client)(name); known != c.known || known && v != c.value {
			t.Errorf("%s is %q, %t; want %q, %t", name, v, known, c.value, c.known)
		}
	}
}
