// Package exchange is the out-of-band part of the ping-pong: before two queue
// pairs can be connected, their addresses must be carried by something else.
// Like ibv_rc_pingpong this is a TCP connection, by default to port 18515:
//
//	client                                server
//	  │                                     │ Listen, Accept
//	  │ Dial ─────────────────────────────▶ │
//	  │ SendAddress ──── 52 bytes ────────▶ │ ReadAddress
//	  │                                     │   its QP: INIT → RTR → RTS
//	  │ ReadAddress ◀─── 52 bytes ───────── │ SendAddress
//	  │ SendDone ─────── "done\0" ────────▶ │ ReadDone
//	  │ Close                               │ Close
//	  │   its QP: INIT → RTR → RTS          │
//
// Each arrow is one call, so that a tour can stop between any two of them for
// as long as it likes: time is counted only inside a call. The bytes are those
// of the original, and each message leaves in one write, because the original
// reads each with a single read. What comes in may come in pieces.
//
// To read: record.go for the bytes; server.go, accept.go, client.go and dial.go
// for the two ends; conn.go and patience.go for waiting; perror.go, likely.go
// and text.go for what the errors say. Moving queue pairs is the caller's
// work. Nothing here is secret or authenticated; the original is not either.
package exchange
