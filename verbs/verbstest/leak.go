package verbstest

import (
	"testing"

	"go.uber.org/goleak"
)

// LeakCheck runs the tests of a package, for TestMain, and fails if they left
// goroutines behind: a device that is still open has some.
func LeakCheck(m *testing.M) { goleak.VerifyTestMain(m) }
