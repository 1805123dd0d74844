// Package softroce is the embedded device soft0: a RoCE v2 endpoint with the
// reliable connected (RC) service in pure Go. It needs no RDMA hardware, no
// kernel module and no root, and it speaks to any other RoCE v2 endpoint.
//
//	program ─ post ─▶ send queue ─▶ requester ──▶ build ─▶ link ═══▶ peer
//	        ◀ poll ── completion     ▲   │                  │
//	                  queue ◀────────┼───┘                  │
//	        ─ post ─▶ receive queue ─▶ responder ◀─ receive ◀┘
//
// To read: options.go and limits.go; device.go for the lock and the loop that
// runs everything; pd.go mr.go cq.go channel.go events.go qp.go for the
// objects; modify.go and post.go for the verbs on a queue pair; requester.go,
// responder.go, responses.go and replay.go for the protocol, which knows
// neither clock nor socket; build.go and receive.go for packets; link.go,
// memory.go, udp.go and hook.go for what carries them; capture.go.
//
// There is one lock per device, and no goroutine of its own as long as packets
// stay in memory: who posts a work request carries its packets to the other
// queue pair and back. A socket has one goroutine, which answers the peer while
// the program does nothing.
//
// Not here: the UC, UD and XRC services, shared receive queues, memory windows,
// and the connection manager.
package softroce
