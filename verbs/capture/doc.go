// Package capture takes RoCE v2 packets from a network device of the host, and
// writes packets to pcapng files.
//
// Soft-RoCE sends its packets as UDP datagrams to port 4791 through a network
// device, so that a packet socket (packet(7)) there has them in both
// directions. It needs CAP_NET_RAW in the network namespace of the device. An
// adapter makes its packets itself; no socket has them.
//
//	datagram.go      an IP packet with RoCE v2 in it: headers, payload, ICRC
//	filter.go        the program by which the kernel passes only such packets
//	capture.go       the socket, opened, read and closed
//	socket_linux.go  its system calls
//	pcapng.go        a file of packets
//
// Parsing, filter and file work everywhere. On an operating system other than
// Linux, Open returns an error for which errors.Is(err, errors.ErrUnsupported)
// holds.
package capture
