//go:build !linux || android || (!amd64 && !arm64)

package libibverbs

import (
	"errors"
	"fmt"
	"runtime"

	"ibtour/verbs"
)

// Open says that this platform cannot use libibverbs: the layout of the C
// structures is known for linux/amd64 and linux/arm64 only.
// errors.Is(err, errors.ErrUnsupported) holds.
func Open() (verbs.Driver, error) {
	return nil, fmt.Errorf("libibverbs is used on linux/amd64 and linux/arm64, this is %s/%s: %w",
		runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}
