//go:build !linux || android || (!amd64 && !arm64)

package libibverbs

import "ibtour/verbs"

// Open says that this platform cannot use libibverbs.
func Open() (verbs.Driver, error) { return nil, errPlatform() }
