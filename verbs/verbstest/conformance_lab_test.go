//go:build lab

package verbstest_test

import (
	"testing"

	"ibtour/verbs/libibverbs"
	"ibtour/verbs/verbstest"
)

// TestConformanceRXE runs in the lab VM, against the Linux rxe driver. It does
// not skip: without rxe0 it fails. GID 1 is the IPv4 address there.
func TestConformanceRXE(t *testing.T) {
	d, err := libibverbs.Open()
	if err != nil {
		t.Fatal(err)
	}
	verbstest.Conformance(t, d, "rxe0", verbstest.Caps{RXE: true, Config: verbstest.Config{GIDIndex: 1}})
}
