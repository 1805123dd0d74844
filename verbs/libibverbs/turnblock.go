//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"structs"
	"syscall"

	"ibtour/verbs"
)

// loopBlock is everything that the loop in turnloop_*.s reads and writes. The
// assembler takes the offsets from here.
type loopBlock struct {
	_ structs.HostLayout

	// Where the next turn, stamp and completion are, and how many turns are
	// left.
	turns uintptr // *cTurn
	left  uint64
	at    uintptr // *int64
	wc    uintptr // *cWC

	pollCQ, reqNotifyCQ, postSend, postRecv      uintptr // of the device
	getCQEvent, poll, clockGettime, errnoAddress uintptr // of the libraries

	cq, qp, sendWR, recvWR uintptr
	channel                uintptr // 0: poll

	badWR, evCQ, evContext uintptr // results of calls that nobody reads
	clock                  [2]int64
	fds                    [2]cPollFD // the channel; the order to stop
	stop                   uint32     // not 0: stop

	outcome uint32
	code    int32 // what the call that failed returned, or errno
	done    uint64
	numWC   uint64
	events  uint64
}

// cTurn is verbs.Turn for the assembler.
type cTurn struct {
	_                  structs.HostLayout
	wait, recvs, sends uint32
}

// cPollFD is struct pollfd (poll(2)).
type cPollFD struct {
	_       structs.HostLayout
	fd      int32 `c:"fd"`
	events  int16 `c:"events"`
	revents int16 `c:"revents"`
}

// How the loop ended: over, or by a call that failed.
const (
	outcomeDone = iota
	outcomeBadWC
	outcomeStopped
	outcomePollCQ
	outcomeReqNotify
	outcomePostRecv
	outcomePostSend
	outcomeGetEvent
	outcomePoll
)

// Constants of C for the assembler.
const (
	cEINTR          = 4
	cEAGAIN         = 11
	cClockMonotonic = 1
	cSecond         = 1000000000
)

// err tells how the loop ended, with the errors the plain calls give.
func (b *loopBlock) err() error {
	switch b.outcome {
	case outcomeStopped:
		return verbs.ErrStopped
	case outcomePollCQ:
		_, err := countError(b.code)
		return callError("ibv_poll_cq", err)
	case outcomeReqNotify:
		return callError("ibv_req_notify_cq", statusError(b.code))
	case outcomePostRecv:
		return callError("ibv_post_recv", statusError(b.code))
	case outcomePostSend:
		return callError("ibv_post_send", statusError(b.code))
	case outcomeGetEvent, outcomePoll:
		return callError("ibv_get_cq_event", reason(verbs.Errno(b.code)))
	}
	return nil
}

func callError(op string, err error) error {
	errno, ok := err.(syscall.Errno) //nolint:errorlint // made by this package, unwrapped
	if !ok {
		return err
	}
	return &verbs.Error{Op: op, Object: "", Errno: errno, Hint: ""}
}
