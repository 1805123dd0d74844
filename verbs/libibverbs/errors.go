package libibverbs

import "fmt"

// LibraryName is the file that Open loads.
const LibraryName = "libibverbs.so.1"

// LoadError is returned by Open when the C library cannot be loaded.
type LoadError struct {
	Library string
	Reason  error // what dlopen(3) said
}

// Error says what is missing and which package has it.
func (e *LoadError) Error() string {
	return fmt.Sprintf("%s cannot be loaded (%v); it is part of rdma-core: install libibverbs1 and "+
		"ibverbs-providers (Debian, Ubuntu) or libibverbs (Fedora, RHEL)", e.Library, e.Reason)
}

// Unwrap returns what dlopen said.
func (e *LoadError) Unwrap() error { return e.Reason }
