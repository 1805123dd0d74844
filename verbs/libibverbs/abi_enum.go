//go:build linux && !android && (amd64 || arm64)

package libibverbs

// enum ibv_transport_type, as far as it has devices that speak verbs.
const (
	transportIB    = 0 // IBV_TRANSPORT_IB
	transportIWARP = 1 // IBV_TRANSPORT_IWARP
)
