//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"sync"

	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// deviceContext is an opened device (struct ibv_context).
type deviceContext struct {
	lib  *library
	addr uintptr
	ops  *cContext

	mu  sync.Mutex // of what follows
	cqs map[uintptr]*cq
}

func newContext(lib *library, addr uintptr) (*deviceContext, error) {
	c := &deviceContext{lib: lib, addr: addr, ops: at[cContext](addr), cqs: map[uintptr]*cq{}}
	// Events are awaited with poll(2), together with the order to stop; the
	// reading must then never wait, even if somebody else took the event.
	if err := unix.SetNonblock(int(c.ops.asyncFD), true); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *deviceContext) FDs() verbs.FDs {
	return verbs.FDs{Cmd: int(c.ops.cmdFD), Async: int(c.ops.asyncFD)}
}

// Close calls ibv_close_device.
func (c *deviceContext) Close() error { return c.lib.minusOne(&c.lib.closeDevice, c.addr) }

func (c *deviceContext) remember(q *cq) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cqs[q.addr] = q
}

func (c *deviceContext) forget(q *cq) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.cqs, q.addr)
}

// cqAt returns the queue that the library knows by its address.
func (c *deviceContext) cqAt(addr uintptr) *cq {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cqs[addr]
}
