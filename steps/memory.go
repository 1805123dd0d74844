package steps

import (
	"bytes"
	"unique"

	"ibtour/verbs"
)

// memoryPage is the unit in which contents are kept.
const memoryPage = 4096

type memoryBytes [memoryPage]byte

// Memory is the content of a buffer at one moment. Equal pages are kept once,
// in whatever buffer, at whatever moment and in whatever place they are: what
// a step leaves alone costs nothing.
type Memory struct {
	size  int
	pages []unique.Handle[memoryBytes] // the last one filled up with zeros
	other []int                        // bytes of each page that differ from the fill
}

// readMemory copies a buffer; what is as in the last Memory of it is shared
// with that. With a region the device is held off, page by page.
func readMemory(b *verbs.Buffer, mr *verbs.MR, last *Memory) *Memory {
	m := &Memory{size: b.Len()}
	var page memoryBytes
	for at := 0; at < m.size; at += memoryPage {
		n := min(memoryPage, m.size-at)
		if mr == nil {
			copy(page[:n], b.Bytes()[at:])
		} else if _, err := mr.Peek(page[:n], at); err != nil {
			copy(page[:n], b.Bytes()[at:]) // deregistered: the device has let go
		}
		clear(page[n:])
		m.keep(&page, n, last)
	}
	return m
}

// keep appends a page of n bytes.
func (m *Memory) keep(page *memoryBytes, n int, last *Memory) {
	i := len(m.pages)
	if last != nil && last.size == m.size && last.pages[i].Value() == *page {
		m.pages, m.other = append(m.pages, last.pages[i]), append(m.other, last.other[i])
		return
	}
	m.pages = append(m.pages, unique.Make(*page))
	m.other = append(m.other, n-bytes.Count(page[:n], []byte{fill}))
}

// Len returns the size of the buffer in bytes.
func (m *Memory) Len() int { return m.size }

// Bytes returns a copy of at most n bytes from an offset on, fewer at the end
// of the buffer.
func (m *Memory) Bytes(offset, n int) []byte {
	n = min(n, m.size-offset)
	out := make([]byte, 0, n)
	for len(out) < n {
		at := offset + len(out)
		page := m.pages[at/memoryPage].Value()
		out = append(out, page[at%memoryPage:min(memoryPage, at%memoryPage+n-len(out))]...)
	}
	return out
}

// Changed returns how many bytes differ from the fill.
func (m *Memory) Changed() int {
	sum := 0
	for _, n := range m.other {
		sum += n
	}
	return sum
}

// PageLen is the length of a page of a Memory in bytes.
func (*Memory) PageLen() int { return memoryPage }

// SamePage tells, without looking at the bytes, whether page i is as page j of
// another Memory, which may be the same one. Pages are counted from 0.
func (m *Memory) SamePage(i int, o *Memory, j int) bool { return m.pages[i] == o.pages[j] }

// Equal tells whether two contents are the same.
func (m *Memory) Equal(o *Memory) bool {
	if m == nil || o == nil || m.size != o.size {
		return m == o
	}
	for i := range m.pages {
		if m.pages[i] != o.pages[i] {
			return false
		}
	}
	return true
}
