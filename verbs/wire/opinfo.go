package wire

//go:generate go run golang.org/x/tools/cmd/stringer@v0.48.0 -linecomment -output enums_string.go -type=Kind,Position,PayloadRule,SyndromeKind,NAKCode

// Kind is the operation an opcode belongs to (IBTA vol. 1, 9.4).
type Kind uint8

// The operations of the RC service.
const (
	KindNone         Kind = iota // none
	KindSend                     // SEND
	KindWrite                    // RDMA WRITE
	KindReadRequest              // RDMA READ request
	KindReadResponse             // RDMA READ response
	KindAck                      // acknowledge
	KindAtomicAck                // atomic acknowledge
	KindCompareSwap              // compare and swap
	KindFetchAdd                 // fetch and add
)

// Position says which packet of its message an opcode marks (IBTA vol. 1, 9.2).
type Position uint8

// The positions of a packet in its message.
const (
	Only   Position = iota // only
	First                  // first
	Middle                 // middle
	Last                   // last
)

// Starts reports whether a message begins with this packet.
func (p Position) Starts() bool { return p == First || p == Only }

// Ends reports whether a message ends with this packet.
func (p Position) Ends() bool { return p == Last || p == Only }

// PayloadRule says how many payload bytes an opcode may carry (IBTA vol. 1,
// 9.4.1 and the length checks of 9.7.4).
type PayloadRule uint8

// The payload rules.
const (
	PayloadNone PayloadRule = iota // no payload
	PayloadFull                    // exactly the path MTU
	PayloadRest                    // 1 byte to the path MTU
	PayloadAny                     // 0 bytes to the path MTU
)

// Allows reports whether n payload bytes obey the rule under a path MTU.
func (r PayloadRule) Allows(n, mtu int) bool {
	switch r {
	case PayloadFull:
		return n == mtu
	case PayloadRest:
		return n >= 1 && n <= mtu
	case PayloadAny:
		return n >= 0 && n <= mtu
	case PayloadNone:
		return n == 0
	default:
		return false
	}
}

// Headers is the set of extended headers behind the BTH. Their order in a
// packet is the order of the constants (IBTA vol. 1, 9.3).
type Headers uint8

// The extended headers of the RC service.
const (
	HasRETH Headers = 1 << iota
	HasAtomicETH
	HasAETH
	HasAtomicAckETH
	HasImmDt
	HasIETH
)

// headerLens gives the size of each header by its bit number in Headers.
var headerLens = [...]int{RETHLen, AtomicETHLen, AETHLen, AtomicAckETHLen, ImmDtLen, IETHLen}

// Has reports whether all headers of x are in the set.
func (h Headers) Has(x Headers) bool { return h&x == x }

// Len returns the bytes all headers of the set take together.
func (h Headers) Len() int {
	n := 0
	for i, size := range headerLens {
		if h>>i&1 == 1 {
			n += size
		}
	}
	return n
}
