//go:build !unix

package tui

// watch has nothing to pass on: a console tells of its size among the keys, and
// stops nobody.
func (p *program) watch(done <-chan struct{}) { <-done }

// canStop is false: there is no job control.
func canStop() bool { return false }

func stop() (ends bool) { return false }
