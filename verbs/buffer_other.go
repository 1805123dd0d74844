//go:build !unix

package verbs

import (
	"os"
	"reflect"
)

// mapPages uses the Go heap, aligned by hand: on systems without a kernel
// driver only the embedded device runs, and it needs no fixed address.
func mapPages(size int) ([]byte, error) {
	page := os.Getpagesize()
	mem := make([]byte, size+page)
	skip := page - int(reflect.ValueOf(mem).Pointer())%page
	return mem[skip : skip+size : skip+size], nil
}

func unmapPages([]byte) error { return nil }
