package exchange

import (
	"errors"
	"fmt"
	"time"
)

// Phase is the part of the exchange an error or a wait belongs to.
type Phase uint8

// The phases.
const (
	Resolving      Phase = iota + 1 // resolve
	Listening                       // listen
	Dialing                         // connect
	Accepting                       // accept
	SendingAddress                  // send-address
	ReadingAddress                  // read-address
	SendingDone                     // send-done
	ReadingDone                     // read-done
)

// Reason says what is wrong with an address record. It is an error itself:
// errors.Is(err, ErrDigit) works on what ParseAddress returns.
type Reason uint8

// The reasons.
const (
	ErrShort    Reason = iota + 1 // the record ends here
	ErrDigit                      // a hexadecimal digit is wanted
	ErrRange                      // the number has too many bits
	ErrEnd                        // the NUL that ends the record is wanted
	ErrReserved                   // no RC queue pair has this number
)

// Error returns the reason in words.
func (r Reason) Error() string { return r.String() }

// RecordError is an address record that is not one.
type RecordError struct {
	Reason Reason
	Field  string // LID, QPN, PSN or GID
	Offset int    // of the first byte that is wrong
	Got    []byte // all that was received
}

// Error returns one line such as
// `byte 1 of the address record (LID): a hexadecimal digit is wanted; received "6.06\x00"`.
func (e *RecordError) Error() string {
	return english.cause(e)
}

// Unwrap returns the reason.
func (e *RecordError) Unwrap() error { return e.Reason }

// Errors inside a PeerError.
var (
	// ErrSilent: the peer sent nothing for as long as Patience allows. The
	// connection stays open and the call may be made again.
	ErrSilent = errors.New("nothing more was received")
	// ErrClosed: the peer closed the connection in the middle.
	ErrClosed = errors.New("connection closed by the peer")
	// ErrNotDone: the client's closing message was another.
	ErrNotDone = errors.New(`not the closing message "done"`)
)

// PeerError is a step of the exchange that failed. Whoever stopped it with a
// context finds context.Canceled or context.DeadlineExceeded in it.
type PeerError struct {
	Phase  Phase
	Peer   string        // host or address and port, empty if there is none
	Got    []byte        // what was received in this phase
	Want   int           // how many bytes were wanted, 0 if none
	Waited time.Duration // in this call, set with ErrSilent
	Err    error
	Likely Likely

	lang string // of the text
}

// Unwrap returns the reason.
func (e *PeerError) Unwrap() error { return e.Err }

// Excerpt returns what was received as a quoted string, shortened to what fits
// a line of text.
func Excerpt(b []byte) string {
	const most = 60
	if len(b) > most {
		return fmt.Sprintf("%q… (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("%q", b)
}
