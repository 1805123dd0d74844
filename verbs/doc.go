// Package verbs is a Go API for RDMA devices, with the objects and the rules
// of the verbs (IBTA vol. 1, chapters 10 and 11; libibverbs).
//
//	DeviceList ── Open ──▶ Context ─┬─ AllocPD ──▶ PD ─┬─ RegMR ─────▶ MR
//	                                │                  └─ CreateQP ──▶ QP
//	                                ├─ CreateCompChannel ▶ CompChannel  │
//	                                └─ CreateCQ ─────────▶ CQ ◀─────────┘
//
// Each method is one verb and its comment names the C call. The objects keep
// the rules of lifetime, report every call to a trace.Tracer, and speak to the
// device through Driver, which ibtour/verbs/libibverbs and
// ibtour/verbs/softroce implement.
//
// To read: numbers.go, enums.go and flags.go for the words; attr.go and wr.go
// for the structures; device.go, context.go, pd.go, channel.go, cq.go, qp.go for
// the objects; qpstate.go for the state machine; errors.go for what can go
// wrong; turn.go for full speed; driver.go for the seam.
//
// Memory given to a device comes from AllocBuffer, outside the Go heap. How a
// device is reached, and which calls a ping-pong makes, is decided elsewhere.
package verbs
