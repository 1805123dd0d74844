package verbs_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"

	"ibtour/verbs"
)

func TestBuffer(t *testing.T) {
	page := os.Getpagesize()
	for _, size := range []int{0, 1, page - 1, page, page + 1, 3*page + 7} {
		b, err := verbs.AllocBuffer(size)
		must(t, err)
		if b.Len() != size || len(b.Bytes()) != size || cap(b.Bytes()) != size {
			t.Errorf("a buffer of %d has Len %d, %d bytes and room for %d", size, b.Len(), len(b.Bytes()), cap(b.Bytes()))
		}
		if b.Addr() == 0 || b.Addr()%uint64(page) != 0 {
			t.Errorf("a buffer of %d is at %#x", size, b.Addr())
		}
		for i, v := range b.Bytes() {
			if v != 0 {
				t.Fatalf("byte %d is %d", i, v)
			}
			b.Bytes()[i] = 0x7b
		}
		for range 2 {
			if err := b.Free(); err != nil {
				t.Errorf("Free: %v", err)
			}
		}
		if b.Addr() != 0 || b.Len() != 0 || len(b.Bytes()) != 0 {
			t.Errorf("a freed buffer is %d bytes at %#x", b.Len(), b.Addr())
		}
	}
}

func TestBufferRefused(t *testing.T) {
	if _, err := verbs.AllocBuffer(-1); err == nil || !strings.Contains(err.Error(), "negative") {
		t.Errorf("a negative size gives %v", err)
	}
	for _, size := range []int{math.MaxInt, math.MaxInt - 1, math.MaxInt - os.Getpagesize()} {
		_, err := verbs.AllocBuffer(size)
		var verr *verbs.Error
		if !errors.As(err, &verr) || verr.Op != "mmap" || !errors.Is(err, syscall.ENOMEM) {
			t.Errorf("%d bytes give %v", size, err)
		}
	}
}
