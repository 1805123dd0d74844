package wire

import "fmt"

// bthSpecs are the fields of the BTH in wire order.
var bthSpecs = []spec{
	{"Opcode", 8, "0x%02x", "9.2", opcodeMeaning},
	{"Solicited (SE)", 1, "%d", "9.2", flag("", "wake the peer even if it waits for solicited events only")},
	{"MigReq (M)", 1, "%d", "9.2", flag("path migration is armed or not supported", "path is in the migrated state")},
	{"PadCount", 2, "%d", "9.2", padMeaning},
	{"TVer", 4, "%d", "9.2", versionMeaning},
	{"P_Key", 16, "0x%04x", "9.2", pkeyMeaning},
	{"FECN (F)", 1, "%d", "A17", flag("", "congestion on the way here")},
	{"BECN (B)", 1, "%d", "A17", flag("", "congestion on the way back: send slower")},
	{"Reserved", 6, "0x%02x", "9.2", nil},
	{"DestQP", 24, "0x%06x", "9.2", always("queue pair at the receiver")},
	{"AckReq (A)", 1, "%d", "9.2", ackReqMeaning},
	{"Reserved", 7, "0x%02x", "9.2", nil},
	{"PSN", 24, "0x%06x", "9.7.1", psnMeaning},
}

// extendedSpecs are the fields of the extended headers, in the order of the
// bits of Headers.
var extendedSpecs = [...]struct {
	name  string
	specs []spec
}{
	{"RETH", []spec{
		{"Virtual Address", 64, "0x%016x", "9.3", always("remote memory starts here")},
		{"R_Key", 32, "0x%08x", "9.3", always("key the peer gave out for its memory region")},
		{"DMA Length", 32, "%d", "9.3", always("bytes of the whole message")},
	}},
	{"AtomicETH", []spec{
		{"Virtual Address", 64, "0x%016x", "9.3", always("remote 8-byte word")},
		{"R_Key", 32, "0x%08x", "9.3", always("key the peer gave out for its memory region")},
		{"Swap/Add Data", 64, "0x%016x", "9.3", swapAddMeaning},
		{"Compare Data", 64, "0x%016x", "9.3", compareMeaning},
	}},
	{"AETH", []spec{
		{"Syndrome", 8, "0x%02x", "9.7.5", func(_ *Packet, v uint64) string { return Syndrome(v).String() }},
		{"MSN", 24, "%d", "9.7.7", always("messages the responder has completed")},
	}},
	{"AtomicAckETH", []spec{
		{"Original Data", 64, "0x%016x", "9.3", always("what the remote word held before")},
	}},
	{"ImmDt", []spec{
		{"Immediate Data", 32, "0x%08x", "9.3", always("goes into the receiver's work completion")},
	}},
	{"IETH", []spec{
		{"R_Key", 32, "0x%08x", "9.3", always("key the receiver makes void")},
	}},
}

// always is a meaning that does not depend on the value.
func always(text string) func(*Packet, uint64) string {
	return func(*Packet, uint64) string { return text }
}

// flag is the meaning of a single bit.
func flag(zero, one string) func(*Packet, uint64) string {
	return func(_ *Packet, v uint64) string {
		if v == 0 {
			return zero
		}
		return one
	}
}

func opcodeMeaning(p *Packet, _ uint64) string {
	o := p.Opcode
	switch o.Kind() {
	case KindSend, KindWrite, KindReadResponse:
		return fmt.Sprintf("%v: %v packet of %v", o, o.Position(), o.Kind())
	case KindReadRequest:
		return o.String() + ": asks for remote memory"
	case KindAck:
		return o.String() + ": the responder's answer to requests without a result"
	case KindAtomicAck:
		return o.String() + ": the result of an atomic operation"
	case KindCompareSwap:
		return o.String() + ": replaces a remote word if it has the expected value"
	case KindFetchAdd:
		return o.String() + ": adds to a remote word"
	case KindNone:
	}
	return o.String()
}

func padMeaning(_ *Packet, v uint64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("last %d bytes before the ICRC are no data", v)
}

func versionMeaning(_ *Packet, v uint64) string {
	if v == 0 {
		return "the only version there is"
	}
	return "unknown version: dropped"
}

func pkeyMeaning(_ *Packet, v uint64) string {
	switch {
	case PKey(v) == DefaultPKey:
		return "default partition, full member"
	case v>>15 == 1:
		return "full member of the partition"
	default:
		return "limited member of the partition"
	}
}

func ackReqMeaning(p *Packet, v uint64) string {
	switch {
	case v == 1:
		return "please acknowledge"
	case p.Opcode.IsRequest():
		return "no acknowledgement asked for"
	default:
		return ""
	}
}

func psnMeaning(p *Packet, _ uint64) string {
	switch p.Opcode.Kind() {
	case KindAck:
		if p.AETH.Syndrome.Kind() == SyndromeACK {
			return "acknowledges every request packet up to this one"
		}
		return "the request packet the responder refuses or waits for"
	case KindReadResponse, KindAtomicAck:
		return "answers the request packet of this number"
	case KindReadRequest:
		return "number of the first response packet"
	case KindNone, KindSend, KindWrite, KindCompareSwap, KindFetchAdd:
	}
	return "number of this packet"
}

func swapAddMeaning(p *Packet, _ uint64) string {
	if p.Opcode.Kind() == KindFetchAdd {
		return "added to the remote word"
	}
	return "new value, if the comparison holds"
}

func compareMeaning(p *Packet, _ uint64) string {
	if p.Opcode.Kind() == KindFetchAdd {
		return "ignored by FETCH_ADD"
	}
	return "value the remote word must have"
}

func payloadMeaning(p *Packet) string {
	info := p.Opcode.Info()
	if info.Payload == PayloadNone && len(p.Payload) > 0 {
		return "out of place: the opcode has no payload"
	}
	return "data of the message; the opcode allows " + info.Payload.String()
}
