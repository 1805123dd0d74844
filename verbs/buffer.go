package verbs

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"syscall"
)

// Buffer is memory an adapter may be given: page aligned, outside the Go
// heap, and never moved. Only a Buffer can be registered, so that passing a
// Go slice to an adapter does not compile.
type Buffer struct {
	mem  []byte // whole pages
	size int
}

// AllocBuffer returns size bytes of zeroed, page-aligned memory (mmap(2)).
// size may be 0; such a buffer cannot be registered. Errors are the
// operating system's.
func AllocBuffer(size int) (*Buffer, error) {
	if size < 0 {
		return nil, fmt.Errorf("buffer of %d bytes: size is negative", size)
	}
	page := os.Getpagesize()
	if size > math.MaxInt-page {
		return nil, wrap("mmap", fmt.Sprintf("%d bytes", size), syscall.ENOMEM)
	}
	mem, err := mapPages(max(size+page-1, page) / page * page)
	if err != nil {
		return nil, wrap("mmap", fmt.Sprintf("%d bytes", size), err)
	}
	return &Buffer{mem: mem, size: size}, nil
}

// Bytes returns the memory. The slice must not be used after Free.
func (b *Buffer) Bytes() []byte { return b.mem[:b.size:b.size] }

// Len returns the size asked for, in bytes.
func (b *Buffer) Len() int { return b.size }

// Addr returns the virtual address, page aligned; 0 after Free.
func (b *Buffer) Addr() uint64 { return uint64(reflect.ValueOf(b.mem).Pointer()) }

// Free gives the memory back (munmap(2)). Every region over it must have been
// deregistered. A second Free does nothing.
func (b *Buffer) Free() error {
	if b.mem == nil {
		return nil
	}
	mem := b.mem
	b.mem, b.size = nil, 0
	return unmapPages(mem)
}
