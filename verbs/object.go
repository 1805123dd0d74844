package verbs

import (
	"slices"
	"sync"
)

// family keeps what every object of a context shares: who is alive, and on
// whom it depends.
type family struct {
	mu   sync.Mutex
	live []object
}

// object is a context's PD, MR, completion channel, CQ or QP.
type object interface {
	String() string
	parents() []object
	Close() error
}

func (f *family) add(o object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live = append(f.live, o)
}

func (f *family) remove(o object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live = slices.DeleteFunc(f.live, func(x object) bool { return x == o })
}

// names returns the live objects, oldest first.
func (f *family) names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]string, len(f.live))
	for i, o := range f.live {
		out[i] = o.String()
	}
	return out
}

// childrenOf returns the live objects that depend directly on o.
func (f *family) childrenOf(o object) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, c := range f.live {
		if slices.Contains(c.parents(), o) {
			out = append(out, c.String())
		}
	}
	return out
}

// newestFirst returns the live objects so that each comes before everything
// it depends on: nothing can depend on what was made after it.
func (f *family) newestFirst() []object {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.live)
	slices.Reverse(out)
	return out
}
