package wire_test

import (
	"fmt"
	"net/netip"

	"ibtour/verbs/wire"
)

// A packet is built, sealed with its ICRC, read again and shown.
func Example() {
	path := wire.Envelope{
		Src: netip.MustParseAddrPort("192.0.2.2:49443"),
		Dst: netip.MustParseAddrPort("192.0.2.1:4791"),
	}
	ack := wire.Packet{
		BTH:  wire.BTH{Opcode: wire.OpAck, MigReq: true, PKey: wire.DefaultPKey, DestQP: 0x11, PSN: 0xABCD},
		AETH: wire.AETH{Syndrome: wire.ACKNoCredits, MSN: 1},
	}
	datagram := path.Seal(nil, &ack)
	fmt.Printf("%x\n", datagram)

	fields, err := wire.Describe(datagram)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range fields {
		if f.Meaning != "" {
			fmt.Printf("%-4s %2d %-10s %-8s %s\n", f.Header, f.Offset(), f.Name, f.Value, f.Meaning)
		}
	}
	// Output:
	// 1140ffff000000110000abcd1f000001d0948a6d
	// BTH   0 Opcode     0x11     ACKNOWLEDGE: the responder's answer to requests without a result
	// BTH   1 MigReq (M) 1        path is in the migrated state
	// BTH   1 TVer       0        the only version there is
	// BTH   2 P_Key      0xffff   default partition, full member
	// BTH   5 DestQP     0x000011 queue pair at the receiver
	// BTH   9 PSN        0x00abcd acknowledges every request packet up to this one
	// AETH 12 Syndrome   0x1f     ACK, no credit information
	// AETH 13 MSN        1        messages the responder has completed
	// ICRC 16 ICRC       d0948a6d CRC-32 over all that routers leave alone
}

// A receiver on a UDP socket finds the IPv4 identification the sender used.
func ExampleEnvelope_SolveID() {
	sender := wire.Envelope{
		Src: netip.MustParseAddrPort("192.0.2.1:49443"),
		Dst: netip.MustParseAddrPort("192.0.2.2:4791"),
		ID:  0xE0B4,
	}
	send := wire.Packet{BTH: wire.BTH{Opcode: wire.OpSendOnly}, Payload: []byte("ping")}
	datagram := sender.Seal(nil, &send)

	receiver := wire.Envelope{Src: sender.Src, Dst: sender.Dst}
	fmt.Println(receiver.Verify(datagram))
	id, ok := receiver.SolveID(datagram)
	fmt.Printf("0x%04x %v\n", id, ok)
	// Output:
	// false
	// 0xe0b4 true
}
