package verbs

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// Turn is one turn of a program that waits for its peer: first Wait
// completions are taken from the completion queue, then Recvs receives are
// posted, then Sends sends. A turn decides nothing. The program computes the
// turns beforehand, and whoever executes them can be as simple as the
// adapter: a loop in this package, or one below the Go runtime.
type Turn struct {
	Wait  uint32
	Recvs uint32
	Sends uint32
}

// TurnSpec is what all turns of a loop have in common. With a Channel the
// loop waits for its events instead of polling: event, re-arm, then poll.
type TurnSpec struct {
	QP      Handle
	CQ      Handle
	Channel Handle
	Send    SendWR
	Recv    RecvWR
}

// TurnResult is what happened in the turns that were executed. The caller
// provides the slices: At as long as the turns, WC as long as their waits.
type TurnResult struct {
	Turns  int     // turns completed
	At     []int64 // when the wait of each turn was over: ns of the loop's clock
	WC     []WC    // completions taken, in order
	NumWC  int     // how many of WC are filled
	Events int     // events taken from the channel, to be acknowledged
}

// TurnLoop executes turns. It stops without an error after the poll that
// brought a completion with an error status, which is then among the last of
// the result, and at the first call that fails, with an *Error that names it.
type TurnLoop interface {
	Run(turns []Turn, res *TurnResult) error
	Now() int64 // the loop's clock in ns
	Stop()      // makes Run return ErrStopped soon; from any goroutine
	// Stamps copies when the waits were over of the turns completed so far, from
	// turn from on, and returns how many there were; from any goroutine. While
	// no Run is under way there are none.
	Stamps(from int, at []int64) int
	Close() error
}

// Batch executes turns on a queue pair at full speed.
type Batch struct {
	qp   *QP
	cq   *CQ
	loop TurnLoop
}

// NewBatch prepares to execute turns that post copies of send and recv on q
// and wait for completions of cq. With events the wait is at the queue's
// channel.
func (q *QP) NewBatch(cq *CQ, events bool, send SendWR, recv RecvWR) (*Batch, error) {
	if q.closed {
		return nil, closedError("turn loop", q)
	}
	if cq.closed {
		return nil, closedError("turn loop", cq)
	}
	spec := TurnSpec{QP: q.h, CQ: cq.h, Send: send, Recv: recv}
	if events && cq.channel == nil {
		return nil, fmt.Errorf("turn loop %v: %v has no channel to wait at: %w", q, cq, syscall.EINVAL)
	}
	if events {
		spec.Channel = cq.channel.h
	}
	loop, err := q.pd.ctx.dc.NewTurnLoop(spec)
	if err != nil {
		return nil, wrap("turn loop", q.String(), err)
	}
	return &Batch{qp: q, cq: cq, loop: loop}, nil
}

// Now returns the time on the clock of TurnResult.At, in ns.
func (b *Batch) Now() int64 { return b.loop.Now() }

// Stamps copies into at when the waits were over of the turns that the Run
// under way has completed, from turn from on, and returns how many it copied:
// 0 while there are no more, or no Run. Any goroutine may ask.
func (b *Batch) Stamps(from int, at []int64) int { return b.loop.Stamps(from, at) }

// Run executes turns until they are done, one fails or ctx ends. A completion
// with an error status is returned as a *CompletionError. What was posted and
// completed is booked in either case.
func (b *Batch) Run(ctx context.Context, turns []Turn, res *TurnResult) error {
	unhook := context.AfterFunc(ctx, b.loop.Stop)
	err := b.loop.Run(turns, res)
	unhook()
	b.book(turns, res)
	if errors.Is(err, ErrStopped) {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return ErrStopped // by the end of an earlier context
	}
	if err != nil {
		return err
	}
	if wc := failed(res.WC[:res.NumWC]); wc != nil {
		return wc.Err()
	}
	return nil
}

// failed returns the first completion with an error status, nil if none has.
func failed(wcs []WC) *WC {
	for i := range wcs {
		if wcs[i].Status != WCSuccess {
			return &wcs[i]
		}
	}
	return nil
}

func (b *Batch) book(turns []Turn, res *TurnResult) {
	var sends, recvs uint64
	for _, t := range turns[:res.Turns] {
		sends += uint64(t.Sends)
		recvs += uint64(t.Recvs)
	}
	b.qp.sends.Add(sends)
	b.qp.recvs.Add(recvs)
	b.cq.took(res.WC[:res.NumWC])
	b.cq.unacked.Add(int64(res.Events))
}

// Close frees the loop.
func (b *Batch) Close() error { return b.loop.Close() }
