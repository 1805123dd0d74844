package kernel

import (
	"encoding/binary"
	"math/bits"
)

// The records of a perf event's ring (perf_event_open(2), "MMAP layout"), as
// far as the observation of system calls asks for them. A record begins with
//
//	type 4 bytes, misc 2, size of all 2
//
// A sample of sys_enter is size 4, raw data, abi 8, stack pointer 8, size 8,
// stack, size in use 8; one of sys_exit ends after the raw data. Raw data are a
// tracepoint's fields: common_type 2, flags and others 6, id 8, then six
// arguments or the result.
const (
	recordHeader = 8
	recordLost   = 2 // PERF_RECORD_LOST: id 8, count 8
	recordSample = 9 // PERF_RECORD_SAMPLE

	rawID      = 8
	rawArgs    = 16
	rawArgSize = 8
)

// crossing is one way into the kernel or out of it.
type crossing struct {
	enter  bool
	id     int64 // number of the system call
	args   [6]uint64
	result int64
	stack  memory // of the program, as it was on the way in
}

// memory is a copy of a range of the program's addresses.
type memory struct {
	addr uint64
	data []byte
}

// at returns the bytes from an address on, as far as they were copied.
func (m memory) at(addr uint64) []byte {
	if addr < m.addr || addr-m.addr >= uint64(len(m.data)) {
		return nil
	}
	return m.data[addr-m.addr:]
}

// parseRing reads all records of a ring, oldest first. enter and exit are the
// numbers of the two tracepoints.
func parseRing(b []byte, enter, exit uint16) (all []crossing, lost uint64) {
	for len(b) >= recordHeader {
		kind, size := binary.LittleEndian.Uint32(b), int(binary.LittleEndian.Uint16(b[6:]))
		if size < recordHeader || size > len(b) {
			break
		}
		body := b[recordHeader:size]
		switch {
		case kind == recordLost && len(body) >= 16:
			lost += binary.LittleEndian.Uint64(body[8:])
		case kind == recordSample:
			if c, ok := parseSample(body, enter, exit); ok {
				all = append(all, c)
			}
		}
		b = b[size:]
	}
	return all, lost
}

func parseSample(b []byte, enter, exit uint16) (c crossing, ok bool) {
	if len(b) < 4 {
		return c, false
	}
	size := int(binary.LittleEndian.Uint32(b))
	if size < rawArgs+rawArgSize || 4+size > len(b) {
		return c, false
	}
	raw, rest := b[4:4+size], b[4+size:]
	c.id = int64(binary.LittleEndian.Uint64(raw[rawID:]))
	switch kind := binary.LittleEndian.Uint16(raw); {
	case kind == exit:
		c.result = int64(binary.LittleEndian.Uint64(raw[rawArgs:]))
		return c, true
	case kind != enter || len(raw) < rawArgs+len(c.args)*rawArgSize:
		return c, false
	}
	c.enter = true
	for i := range c.args {
		c.args[i] = binary.LittleEndian.Uint64(raw[rawArgs+i*rawArgSize:])
	}
	c.stack = parseStack(rest)
	return c, true
}

// parseStack reads the stack pointer and the copy of the stack; both are
// missing where the kernel could not take them.
func parseStack(b []byte) memory {
	if len(b) < 24 || binary.LittleEndian.Uint64(b) == 0 { // PERF_SAMPLE_REGS_ABI_NONE
		return memory{}
	}
	sp, size := binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])
	b = b[24:]
	if size == 0 || len(b) < 8 || size > uint64(len(b)-8) {
		return memory{addr: sp}
	}
	used := min(binary.LittleEndian.Uint64(b[size:]), size)
	return memory{addr: sp, data: b[:used]}
}

// unroll copies what lies between two positions of a ring, whose size is a
// power of two. Positions count on and on.
func unroll(ring []byte, from, to uint64) []byte {
	if bits.OnesCount(uint(len(ring))) != 1 || to < from || to-from > uint64(len(ring)) {
		return nil
	}
	out := make([]byte, 0, to-from)
	mask := uint64(len(ring) - 1)
	start, n := from&mask, to-from
	first := min(n, uint64(len(ring))-start)
	out = append(out, ring[start:start+first]...)
	return append(out, ring[:n-first]...)
}
