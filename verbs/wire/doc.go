// Package wire is the codec of RoCE v2 packets of the reliable connected (RC)
// service: bytes in, structs out, and back. It has no sockets, no state and no
// clock, and nothing here allocates on the path of a packet.
//
// A RoCE v2 packet is the payload of a UDP datagram to port 4791:
//
//	IP | UDP | BTH 12 | extended headers | payload | pad 0..3 | ICRC 4
//
// Read the files in this order:
//
//	opcode.go            what each opcode means and which headers it carries: the one table
//	opinfo.go            the words that table is written in
//	bth.go               the header every packet starts with
//	reth.go aeth.go atomiceth.go atomicacketh.go immdt.go ieth.go
//	                     the extended headers, one per file
//	syndrome.go          how an AETH says ACK, RNR NAK or NAK
//	packet.go errors.go  Parse and Append of the whole packet; why a packet is refused
//	psn.go               sequence numbers, counted modulo 2^24
//	rnrtimer.go acktimeout.go
//	                     the two encodings of time
//	envelope.go icrc.go  the IP and UDP headers, and the checksum that covers them
//	solveid.go           the IPv4 identification a UDP socket does not show
//	port.go              the UDP source port
//	describe.go fields.go
//	                     a packet field by field, in words
//
// Not here: what to do with a packet (verbs/softroce), InfiniBand link headers,
// the UC, UD, RD and XRC transports beyond the names of a few opcodes.
//
// Section numbers refer to the InfiniBand Architecture Specification, volume 1
// ("IBTA vol. 1"); annex A17 of it defines RoCE v2.
package wire
