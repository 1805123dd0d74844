package wire

import "fmt"

// Syndrome is the first byte of the AETH (IBTA vol. 1, 9.7.5):
//
//	 7   6   5   4   3   2   1   0
//	+---+-------+-------------------+
//	| 0 | 0   0 |    credit code    |  ACK
//	| 0 | 0   1 |     RNR timer     |  RNR NAK: receiver not ready
//	| 0 | 1   0 |      reserved     |
//	| 0 | 1   1 |      NAK code     |  NAK
//	+---+-------+-------------------+
type Syndrome uint8

// SyndromeKind is the class of a syndrome, its bits 7..5.
type SyndromeKind uint8

// The classes of a syndrome; any other value is reserved.
const (
	SyndromeACK SyndromeKind = 0 // ACK
	SyndromeRNR SyndromeKind = 1 // RNR NAK
	SyndromeNAK SyndromeKind = 3 // NAK
)

// NAKCode is why a responder refuses a request (IBTA vol. 1, 9.7.5).
type NAKCode uint8

// The NAK codes.
const (
	NAKSequence          NAKCode = iota // PSN sequence error
	NAKInvalidRequest                   // invalid request
	NAKRemoteAccess                     // remote access error
	NAKRemoteOperational                // remote operational error
	NAKInvalidRD                        // invalid RD request
)

// ACKNoCredits is the ACK that says nothing about credits: the responder does
// not limit the requester, for instance because it uses a shared receive queue.
const ACKNoCredits Syndrome = 0x1F

const (
	codeBits = 5
	codeMask = 1<<codeBits - 1
	// noCredits is the credit code without credit information.
	noCredits = codeMask
)

// ACK returns the syndrome of an ACK that grants n credits: the largest code
// that promises no more than n (IBTA vol. 1, 9.7.7).
func ACK(n int) Syndrome {
	code := Syndrome(0)
	for c := Syndrome(1); c < noCredits && creditsOf(c) <= n; c++ {
		code = c
	}
	return code
}

// RNRNAK returns the syndrome of a receiver-not-ready NAK.
func RNRNAK(t RNRTimer) Syndrome { return Syndrome(SyndromeRNR)<<codeBits | Syndrome(t)&codeMask }

// NAK returns the syndrome of a NAK.
func NAK(c NAKCode) Syndrome { return Syndrome(SyndromeNAK)<<codeBits | Syndrome(c)&codeMask }

// Kind returns the class of the syndrome.
func (s Syndrome) Kind() SyndromeKind { return SyndromeKind(s >> codeBits) }

// Credits returns the receive work requests an ACK promises beyond its MSN, and
// false if it is no ACK or carries no credit information (IBTA vol. 1, 9.7.7).
func (s Syndrome) Credits() (n int, ok bool) {
	if s >= noCredits {
		return 0, false
	}
	return creditsOf(s), true
}

// creditsOf decodes a credit code: 0 1 2 3 4, then 6 8 12 16 24 32 and so on,
// doubling every second code.
func creditsOf(code Syndrome) int {
	if code < 2 {
		return int(code)
	}
	return int(2+code&1) << (code/2 - 1)
}

// RNRTimer returns the timer code of an RNR NAK.
func (s Syndrome) RNRTimer() RNRTimer { return RNRTimer(s & codeMask) }

// NAKCode returns the code of a NAK.
func (s Syndrome) NAKCode() NAKCode { return NAKCode(s & codeMask) }

// String says in words what the responder answers.
func (s Syndrome) String() string {
	switch s.Kind() {
	case SyndromeACK:
		if n, ok := s.Credits(); ok {
			return fmt.Sprintf("ACK, %d credits", n)
		}
		return "ACK, no credit information"
	case SyndromeRNR:
		return "RNR NAK, wait " + s.RNRTimer().Duration().String()
	case SyndromeNAK:
		return "NAK, " + s.NAKCode().String()
	default:
		return fmt.Sprintf("Syndrome(0x%02x)", uint8(s))
	}
}
