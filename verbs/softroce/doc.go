// Package softroce is the embedded device soft0: a RoCE v2 endpoint with the
// reliable connected (RC) service in pure Go. It needs no RDMA hardware, no
// kernel module and no root, and it speaks to any other RoCE v2 endpoint.
//
//	program ─ post ─▶ send queue ─▶ requester ──▶ emit ──▶ link ═══▶ peer
//	        ◀ poll ── completion     ▲   │                  ║
//	                  queue ◀────────┼───┘                  ║
//	        ─ post ─▶ receive queue ─▶ responder ◀─ receive ◀═
//
// To read: options.go and limits.go; device.go for the lock and the loop that
// runs everything; pd.go mr.go cq.go channel.go events.go qp.go for the
// objects; calls.go, modify.go and post.go for the verbs; requester.go,
// responder.go, responses.go and replay.go for the protocol, which knows
// neither clock nor socket; emit.go and receive.go for packets out and in;
// link.go, udp.go and hook.go for what carries them; ghost.go, ackpolicy.go and
// parking.go for manners; taps.go and capture.go for those who watch.
//
// There is one lock per device, and no goroutine of its own as long as packets
// stay in memory: who posts a work request carries its packets to the other
// queue pair and back. A socket has one goroutine, which answers the peer while
// the program does nothing.
//
// Where packets go: a GID of this device leads to another queue pair of this
// process, in memory. Any other leads through UDP port 4791 of the local address
// that the queue pair's sgid_index stands for. A port has one owner, so on one
// host two processes need different addresses, such as soft0?addr=127.0.0.1 and
// soft0?addr=127.0.0.2, and none of an interface that the Linux rxe driver
// serves, or of a RoCE NIC.
//
// Not here: the UC, UD and XRC services, shared receive queues, memory windows,
// congestion control, and the connection manager. Inline data must lie in some
// registered region, since this package reads no memory by address alone.
package softroce
