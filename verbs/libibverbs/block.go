//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// block is zeroed memory outside the Go heap: C may keep its address, and
// neither the garbage collector nor a growing stack moves it.
type block struct {
	mem []byte
}

func newBlock(size uintptr) (block, error) {
	mem, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_POPULATE)
	if err != nil {
		return block{}, fmt.Errorf("%d bytes of memory for C: %w", size, err)
	}
	return block{mem: mem}, nil
}

func (b *block) addr() uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b.mem))) }

// free gives the memory back; munmap(2) cannot fail on what mmap returned.
func (b *block) free() {
	if b.mem != nil {
		_ = unix.Munmap(b.mem)
		b.mem = nil
	}
}

// at returns the C object at an address. It goes through memory because the
// address is C's business: to the Go compiler it is a number.
func at[T any](addr uintptr) *T { return *(**T)(unsafe.Pointer(&addr)) }

// addrOf returns the address of an object in a block.
func addrOf[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// array returns n objects at an address.
func array[T any](addr uintptr, n int) []T { return unsafe.Slice(at[T](addr), n) }
