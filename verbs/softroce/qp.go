package softroce

import (
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// qp is a queue pair of the RC service.
type qp struct {
	dev    *device
	pd     *pd
	num    verbs.QPN
	sendCQ *cq
	recvCQ *cq
	cap    verbs.QPCap
	sigAll bool
	dead   bool
	async  account

	state verbs.QPState
	attr  verbs.QPAttr // as given to modify
	req   requester
	resp  responder
	rq    recvQueue

	env  wire.Envelope // around packets to the peer
	link Link          // nil below RTR
	turn turnState
	comm commState

	heard time.Duration // when the last request came; 0: none has
	acks  ackPolicy
}

// commState says whether the peer has been heard of in RTR (IBV_EVENT_COMM_EST).
type commState uint8

const (
	commSilent commState = iota
	commHeard
)

// turnState says whether the device will come round to a queue pair.
type turnState uint8

const (
	turnNone turnState = iota
	turnQueued
)

// createQP creates a queue pair in RESET (ibv_create_qp). EOPNOTSUPP: not RC.
// EINVAL: more than the device can. ENOMEM: no more queue pairs.
func (d *device) createQP(p *pd, send, recv *cq, init *verbs.QPInit) (*qp, error) {
	c := init.Cap
	switch {
	case init.Type != verbs.QPTRC:
		return nil, errNotSupp
	case c.MaxSendWR > maxQPWR, c.MaxRecvWR > maxQPWR, c.MaxSendSGE > maxSGE, c.MaxRecvSGE > maxSGE,
		c.MaxInlineData > maxInline:
		return nil, errInval
	case len(d.qps) >= maxQP:
		return nil, errNoMem
	}
	q := &qp{
		dev: d, pd: p, num: d.newQPN(), sendCQ: send, recvCQ: recv, cap: c, sigAll: init.SigAll,
		rq: newRecvQueue(c), req: requester{sq: newSendQueue(c)},
	}
	q.attr.Cap = c
	d.qps[q.num] = q
	p.children++
	send.users++
	recv.users++
	return q, nil
}

// retireQP takes a queue pair out of use. What was posted vanishes. For a while
// its responder keeps answering requests that were executed before.
func (d *device) retireQP(q *qp) {
	d.pumpAll(d.now()) // an ACK that waits leaves now
	q.leaveGhost()
	q.setState(verbs.QPSReset)
	q.dead = true
	delete(d.qps, q.num)
	q.pd.children--
	q.sendCQ.users--
	q.recvCQ.users--
	q.pd.ctx.events.drop(func(e verbs.AsyncEvent) bool { return e.Element == q })
}

// setState is the one door through which a queue pair changes state.
func (q *qp) setState(to verbs.QPState) {
	from := q.state
	q.state = to
	switch to {
	case verbs.QPSReset:
		q.reset()
	case verbs.QPSRTR:
		q.startResponder()
	case verbs.QPSRTS:
		q.startRequester(from)
	case verbs.QPSSQD:
		q.drain()
	case verbs.QPSErr:
		q.flush()
	case verbs.QPSInit, verbs.QPSSQE, verbs.QPSUnknown:
	}
}

// reset discards everything posted, without completions (10.3.1.1).
func (q *qp) reset() {
	q.req.stop()
	q.resp.stop()
	q.req.sq.head, q.rq.head = q.req.sq.tail, q.rq.tail
	q.link, q.comm, q.heard, q.acks = nil, commSilent, 0, ackPolicy{listed: q.acks.listed}
	granted := q.attr.Cap
	q.attr = verbs.QPAttr{Cap: granted}
}

func (q *qp) startResponder() {
	q.resp.start(respConfig{
		mtu:     q.attr.PathMTU.Bytes(),
		destRD:  int(q.attr.MaxDestRDAtomic),
		rnr:     wire.RNRTimer(q.attr.MinRNRTimer),
		access:  q.attr.AccessFlags,
		quirks:  q.dev.opts.Quirks,
		started: q.attr.RQPSN,
	})
}

func (q *qp) reqConfig() reqConfig {
	return reqConfig{
		mtu:     q.attr.PathMTU.Bytes(),
		timeout: wire.AckTimeout(q.attr.Timeout),
		retries: int(q.attr.RetryCnt),
		rnr:     int(q.attr.RNRRetry),
		maxRD:   int(q.attr.MaxRDAtomic),
		endless: q.dev.opts.Quirks == QuirksRXE && q.attr.RetryCnt == maxRetry,
		rnrWait: q.dev.rnrWait,
	}
}

func (q *qp) startRequester(from verbs.QPState) {
	switch from {
	case verbs.QPSRTR:
		q.req.start(q.reqConfig(), q.attr.SQPSN)
	case verbs.QPSSQD:
		q.req.resume(q.reqConfig())
		if q.dev.opts.Quirks == QuirksRXE {
			return // which goes on with the next post only
		}
	case verbs.QPSReset, verbs.QPSInit, verbs.QPSRTS, verbs.QPSSQE, verbs.QPSErr, verbs.QPSUnknown:
		q.req.cfg = q.reqConfig()
	}
	q.dev.schedule(q)
}

// drain stops the send queue after what was begun (10.3.1.5).
func (q *qp) drain() {
	q.attr.SQDraining = true
	q.req.drain(q.reqConfig())
	q.dev.schedule(q)
}

// flush completes everything posted with WR_FLUSH_ERR, in order (10.3.1.7).
func (q *qp) flush() {
	q.req.stop()
	if q.resp.phase != respClosed {
		q.resp.phase = respClosed // what it has to say, such as a NAK, still leaves
	}
	for sq := &q.req.sq; sq.head != sq.tail; sq.head++ {
		q.completeSend(sq.at(sq.head), verbs.WCWRFlushErr)
	}
	for !q.rq.empty() {
		q.completeRecv(&verbs.WC{Status: verbs.WCWRFlushErr}, false)
	}
}

// completeSend reports a send work request, if it wants to be reported.
func (q *qp) completeSend(w *sendWQE, status verbs.WCStatus) {
	if status == verbs.WCSuccess && !q.sigAll && w.wr.Flags&verbs.SendSignaled == 0 {
		return
	}
	wc := verbs.WC{WRID: w.wr.WRID, Status: status, Opcode: completionOpcode(w.wr.Opcode), QPN: q.num}
	if w.fetches() {
		wc.ByteLen = uint32(w.length)
	}
	q.complete(q.sendCQ, &wc, false)
}

// completeRecv takes the oldest receive and reports it.
func (q *qp) completeRecv(wc *verbs.WC, solicited bool) {
	wc.WRID, wc.QPN, wc.SrcQP = q.rq.at(q.rq.head).id, q.num, q.attr.DestQPN
	if wc.Status != verbs.WCSuccess {
		wc.Opcode = verbs.WCRecv
	}
	q.rq.head++
	q.complete(q.recvCQ, wc, solicited)
}

func (q *qp) complete(c *cq, wc *verbs.WC, solicited bool) {
	q.dev.completed++
	if !c.push(wc, solicited) {
		q.dev.overrun(c)
	}
	q.dev.wakeElsewhere(c)
}

// raise queues an asynchronous event about the queue pair.
func (q *qp) raise(t verbs.EventType) {
	q.pd.ctx.events.put(verbs.AsyncEvent{Type: t, QPN: q.num, Element: q})
}

// overrun puts a queue that overflowed, and every queue pair that uses it, out
// of service (10.2.6.3, IBV_EVENT_CQ_ERR).
func (d *device) overrun(c *cq) {
	c.ctx.events.put(verbs.AsyncEvent{Type: verbs.EventCQErr, Element: c})
	for _, q := range d.qps {
		if (q.sendCQ == c || q.recvCQ == c) && q.state != verbs.QPSErr && q.state != verbs.QPSReset {
			q.setState(verbs.QPSErr)
			q.raise(verbs.EventQPFatal)
		}
	}
}

// query returns the attributes (ibv_query_qp): those given, and how far the
// sequence numbers have come.
func (q *qp) query() verbs.QPAttr {
	a := q.attr
	a.State, a.CurState = q.state, q.state
	if q.state >= verbs.QPSRTR {
		a.RQPSN = q.resp.psn
	}
	if q.state >= verbs.QPSRTS {
		a.SQPSN = q.req.psn
	}
	a.SQDraining = q.state == verbs.QPSSQD && q.attr.SQDraining
	return a
}

// expire tells the queue pair the time.
func (q *qp) expire(now time.Duration) {
	if q.req.deadline != 0 && now >= q.req.deadline {
		q.req.expire(now)
		q.dev.schedule(q)
	}
}
