//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ibtour/verbs"
)

// extent says how a Go structure relates to the C structure of the same name.
type extent int

const (
	whole  extent = iota // the same size
	prefix               // the part of it that is read; only C allocates it
	roomy                // longer, so that it can grow in C
)

type cStruct struct {
	typ    reflect.Type
	extent extent
}

func (s cStruct) fits(size uintptr) bool {
	switch s.extent {
	case prefix:
		return s.typ.Size() <= size
	case roomy:
		return s.typ.Size() >= size && size > 0
	case whole:
	}
	return s.typ.Size() == size
}

// fields returns offset and size of every field with a name in C.
func (s cStruct) fields(name string) map[string]string {
	m := map[string]string{}
	for i := range s.typ.NumField() {
		if f := s.typ.Field(i); f.Tag.Get("c") != "" {
			m[name+"."+f.Tag.Get("c")] = fmt.Sprint(f.Offset, f.Type.Size())
		}
	}
	return m
}

func cStructs() map[string]cStruct {
	return map[string]cStruct{
		"ibv_device":       {reflect.TypeFor[cDevice](), whole},
		"ibv_context":      {reflect.TypeFor[cContext](), prefix},
		"ibv_mr":           {reflect.TypeFor[cMR](), prefix},
		"ibv_comp_channel": {reflect.TypeFor[cCompChannel](), prefix},
		"ibv_cq":           {reflect.TypeFor[cCQ](), prefix},
		"ibv_qp":           {reflect.TypeFor[cQP](), prefix},
		"ibv_async_event":  {reflect.TypeFor[cAsyncEvent](), whole},
		"ibv_device_attr":  {reflect.TypeFor[cDeviceAttr](), whole},
		"ibv_port_attr":    {reflect.TypeFor[cPortAttr](), roomy},
		"ibv_gid_entry":    {reflect.TypeFor[cGIDEntry](), whole},
		"ibv_qp_cap":       {reflect.TypeFor[cQPCap](), whole},
		"ibv_qp_init_attr": {reflect.TypeFor[cQPInitAttr](), whole},
		"ibv_ah_attr":      {reflect.TypeFor[cAHAttr](), whole},
		"ibv_qp_attr":      {reflect.TypeFor[cQPAttr](), whole},
		"ibv_sge":          {reflect.TypeFor[cSGE](), whole},
		"ibv_recv_wr":      {reflect.TypeFor[cRecvWR](), whole},
		"ibv_send_wr":      {reflect.TypeFor[cSendWR](), whole},
		"ibv_wc":           {reflect.TypeFor[cWC](), whole},
		"pollfd":           {reflect.TypeFor[cPollFD](), whole},
	}
}

// cValues returns every value that has a name in C: those of package verbs,
// found through their text, and our own.
func cValues() map[string]int64 {
	m := map[string]int64{"IBV_TRANSPORT_IB": transportIB, "IBV_TRANSPORT_IWARP": transportIWARP}
	addEnum[verbs.QPState](m)
	addEnum[verbs.QPType](m)
	addEnum[verbs.MTU](m)
	addEnum[verbs.PortState](m)
	addEnum[verbs.LinkLayer](m)
	addEnum[verbs.GIDType](m)
	addEnum[verbs.NodeType](m)
	addEnum[verbs.WROpcode](m)
	addEnum[verbs.WCOpcode](m)
	addEnum[verbs.WCStatus](m)
	addEnum[verbs.EventType](m)
	addEnum[verbs.MigState](m)
	addFlags[verbs.AccessFlags](m)
	addFlags[verbs.SendFlags](m)
	addFlags[verbs.WCFlags](m)
	addFlags[verbs.AttrMask](m)
	return m
}

type number interface {
	~int32 | ~uint32 | ~uint8
	fmt.Stringer
}

func addEnum[T number](m map[string]int64) {
	for i := int64(-1); i < 256; i++ {
		addName(m, T(i), i)
	}
}

func addFlags[T number](m map[string]int64) {
	for bit := range 32 {
		addName(m, T(1<<bit), 1<<bit)
	}
}

// addName skips what the type has no name for: it prints a number then. T
// may be too narrow for i.
func addName[T number](m map[string]int64, v T, i int64) {
	if text := v.String(); int64(v) == i && strings.HasPrefix(text, "IBV_") {
		m[text] = i
	}
}

// TestNames guards the search for names: there are as many as were counted
// in package verbs.
func TestNames(t *testing.T) {
	for name, c := range map[string]struct {
		add  func(map[string]int64)
		want int
	}{
		"QPState": {addEnum[verbs.QPState], 8}, "QPType": {addEnum[verbs.QPType], 6}, "MTU": {addEnum[verbs.MTU], 5},
		"PortState": {addEnum[verbs.PortState], 6}, "LinkLayer": {addEnum[verbs.LinkLayer], 3},
		"GIDType": {addEnum[verbs.GIDType], 3}, "NodeType": {addEnum[verbs.NodeType], 5},
		"WROpcode": {addEnum[verbs.WROpcode], 10}, "WCOpcode": {addEnum[verbs.WCOpcode], 9},
		"WCStatus": {addEnum[verbs.WCStatus], 24}, "EventType": {addEnum[verbs.EventType], 20},
		"MigState": {addEnum[verbs.MigState], 3}, "AccessFlags": {addFlags[verbs.AccessFlags], 7},
		"SendFlags": {addFlags[verbs.SendFlags], 4}, "WCFlags": {addFlags[verbs.WCFlags], 4},
		"AttrMask": {addFlags[verbs.AttrMask], 21},
	} {
		m := map[string]int64{}
		c.add(m)
		if len(m) != c.want {
			t.Errorf("%s: %d names, want %d: %v", name, len(m), c.want, m)
		}
	}
}

// TestLibcConstants compares what the assembler was given.
func TestLibcConstants(t *testing.T) {
	if cEINTR != unix.EINTR || cEAGAIN != unix.EAGAIN || cClockMonotonic != unix.CLOCK_MONOTONIC {
		t.Error("EINTR, EAGAIN or CLOCK_MONOTONIC has another value on this system")
	}
}
