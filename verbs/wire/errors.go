package wire

import "fmt"

// Reason says why a packet is refused. It is an error itself, so that
// errors.Is(err, wire.ErrTruncated) works on what Parse returns.
type Reason uint8

// The reasons.
const (
	// ErrTruncated: the packet ends inside a header, the pad or the ICRC.
	ErrTruncated Reason = iota + 1
	// ErrOpcode: not an opcode of the RC service this package knows.
	ErrOpcode
	// ErrVersion: the transport header version (TVer) is not 0.
	ErrVersion
	// ErrPad: payload and pad together are no multiple of four bytes.
	ErrPad
	// ErrPayload: the opcode forbids a payload of this size.
	ErrPayload
)

// Error returns the reason in words.
func (r Reason) Error() string {
	switch r {
	case ErrTruncated:
		return "packet is truncated"
	case ErrOpcode:
		return "opcode is not supported"
	case ErrVersion:
		return "transport header version is not 0"
	case ErrPad:
		return "payload and pad are no multiple of 4 bytes"
	case ErrPayload:
		return "payload size does not fit the opcode"
	default:
		return fmt.Sprintf("Reason(%d)", uint8(r))
	}
}

// ParseError is the error of this package: the reason and the numbers that
// show it. A receiver drops such a packet without an answer (IBTA vol. 1, 9.6),
// except for ErrPayload.
type ParseError struct {
	Reason Reason
	Header string // the one that was cut off; empty if the opcode was read
	Opcode Opcode // of the packet, if Header is empty
	Want   int    // bytes needed at least; the path MTU for ErrPayload
	Got    int    // bytes there; the version for ErrVersion
}

// Error returns the header or opcode, the reason and the numbers.
func (e *ParseError) Error() string {
	where := e.Header
	if where == "" {
		where = e.Opcode.String()
	}
	switch e.Reason {
	case ErrTruncated:
		return fmt.Sprintf("%s: %v: %d bytes, want at least %d", where, e.Reason, e.Got, e.Want)
	case ErrVersion, ErrPad:
		return fmt.Sprintf("%s: %v but %d", where, e.Reason, e.Got)
	case ErrPayload:
		return fmt.Sprintf("%s: %v: %d bytes, want %v (%d)",
			where, e.Reason, e.Got, e.Opcode.Info().Payload, e.Want)
	case ErrOpcode:
	}
	return fmt.Sprintf("%s: %v", where, e.Reason)
}

// Unwrap returns the reason.
func (e *ParseError) Unwrap() error { return e.Reason }

// short returns the error of a single header that does not fit into n bytes.
func short(header string, n, want int) error {
	return &ParseError{Reason: ErrTruncated, Header: header, Want: want, Got: n}
}
