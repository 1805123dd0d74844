//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"sync"
	"unsafe"
)

// scratch lends memory for the arguments and results of the slow calls. It
// keeps what is given back, as many blocks as there were calls at a time.
type scratch struct {
	mu   sync.Mutex
	free []block
}

// scratchSize has room for the largest argument of a slow call.
const scratchSize = 1024

// borrow returns a zeroed T, and what to call when done with it.
func borrow[T any](s *scratch) (*T, func(), error) {
	var zero T
	if unsafe.Sizeof(zero) > scratchSize {
		panic("libibverbs: structure larger than the scratch memory") // a mistake in this package
	}
	b, err := s.take()
	if err != nil {
		return nil, nil, err
	}
	t := at[T](b.addr())
	*t = zero
	return t, func() { s.give(b) }, nil
}

func (s *scratch) take() (block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		b := s.free[last]
		s.free = s.free[:last]
		return b, nil
	}
	return newBlock(scratchSize)
}

func (s *scratch) give(b block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, b)
}
