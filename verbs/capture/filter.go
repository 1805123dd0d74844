package capture

import (
	"golang.org/x/net/bpf"

	"ibtour/verbs/wire"
)

// snapLen is how much of a packet is passed: all of it, since an IP packet is
// not longer.
const snapLen = 1 << 16

// filter is the program that passes RoCE v2 packets and no others. The kernel
// runs it before it copies a packet, with the IP header at offset 0 (packet(7),
// SOCK_DGRAM). A VLAN tag or another link header is therefore not in the way.
var filter = assemble(
	bpf.LoadAbsolute{Off: 0, Size: 1},
	bpf.ALUOpConstant{Op: bpf.ALUOpShiftRight, Val: 4},
	bpf.JumpIf{Cond: bpf.JumpEqual, Val: 6, SkipTrue: 8},
	bpf.JumpIf{Cond: bpf.JumpEqual, Val: 4, SkipFalse: 12},

	bpf.LoadAbsolute{Off: 9, Size: 1}, // IPv4: protocol
	bpf.JumpIf{Cond: bpf.JumpEqual, Val: protoUDP, SkipFalse: 10},
	bpf.LoadAbsolute{Off: 6, Size: 2}, // no fragment
	bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: ipv4Fragment, SkipTrue: 8},
	bpf.LoadMemShift{Off: 0}, // X is the length of the header
	bpf.LoadIndirect{Off: 2, Size: 2},
	bpf.Jump{Skip: 3},

	bpf.LoadAbsolute{Off: 6, Size: 1}, // IPv6: next header
	bpf.JumpIf{Cond: bpf.JumpEqual, Val: protoUDP, SkipFalse: 3},
	bpf.LoadAbsolute{Off: ipv6Len + 2, Size: 2},

	bpf.JumpIf{Cond: bpf.JumpEqual, Val: wire.Port, SkipFalse: 1},
	bpf.RetConstant{Val: snapLen},
	bpf.RetConstant{Val: 0},
)

// nothing is the program that passes no packet.
var nothing = assemble(bpf.RetConstant{Val: 0})

func assemble(program ...bpf.Instruction) []bpf.RawInstruction {
	raw, err := bpf.Assemble(program)
	if err != nil {
		panic(err) // a constant program
	}
	return raw
}
