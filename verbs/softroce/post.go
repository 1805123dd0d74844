package softroce

import (
	"ibtour/verbs"
)

// postSend posts a send work request (ibv_post_send). EINVAL: the state is
// below RTS, or the request asks for more than the queue pair was created for.
// ENOMEM: the queue is full.
func (q *qp) postSend(wr *verbs.SendWR) error {
	if q.state < verbs.QPSRTS {
		return errInval
	}
	length := totalLen(wr.SGList)
	if err := q.checkSend(wr, length); err != nil {
		return err
	}
	if q.req.sq.full() {
		return errNoMem
	}
	w := q.req.sq.push()
	sges := append(w.wr.SGList, wr.SGList...)
	w.wr, w.wr.SGList, w.length = *wr, sges, length
	if wr.Flags&verbs.SendInline != 0 && !q.takeInline(w) {
		q.req.sq.tail--
		return errInval
	}
	if q.state == verbs.QPSErr {
		q.req.sq.head++
		q.completeSend(w, verbs.WCWRFlushErr)
		return nil
	}
	q.dev.schedule(q)
	q.dev.pump()
	return nil
}

func (q *qp) checkSend(wr *verbs.SendWR, length int) error {
	inline := wr.Flags&verbs.SendInline != 0
	if len(wr.SGList) > int(q.cap.MaxSendSGE) || inline && length > int(q.cap.MaxInlineData) {
		return errInval
	}
	switch wr.Opcode {
	case verbs.WRSend, verbs.WRSendWithImm, verbs.WRSendWithInv, verbs.WRRDMAWrite, verbs.WRRDMAWriteWithImm:
		return nil
	case verbs.WRRDMARead:
		if inline {
			return errInval
		}
		return nil
	case verbs.WRAtomicCmpAndSwp, verbs.WRAtomicFetchAndAdd:
		// rxe looks at the remote address too; elsewhere the responder refuses.
		misaligned := wr.RemoteAddr%atomicLen != 0 && q.dev.opts.Quirks == QuirksRXE
		if inline || length != atomicLen || misaligned {
			return errInval
		}
		return nil
	case verbs.WRLocalInv, verbs.WRBindMW: // no memory windows
	}
	return errInval
}

// takeInline copies the data into the work request: the buffer is the
// program's again, and its lkey is not looked at. Memory that is registered
// nowhere cannot be read by a device that may not use unsafe; it is refused.
func (q *qp) takeInline(w *sendWQE) bool {
	for _, s := range w.wr.SGList {
		if s.Length == 0 {
			continue
		}
		mem := q.dev.local(q.pd, s.LKey, s.Addr, int(s.Length), 0)
		if mem == nil {
			mem = q.dev.anywhere(s.Addr, int(s.Length))
		}
		if mem == nil {
			return false
		}
		w.inline = append(w.inline, mem...)
	}
	return true
}

// postRecv posts a receive work request (ibv_post_recv). EINVAL: the state is
// RESET, or there are too many elements. ENOMEM: the queue is full.
func (q *qp) postRecv(wr *verbs.RecvWR) error {
	if q.state == verbs.QPSReset || len(wr.SGList) > int(q.cap.MaxRecvSGE) {
		return errInval
	}
	if q.rq.full() {
		return errNoMem
	}
	q.rq.push(wr)
	if q.state == verbs.QPSErr && q.dev.opts.Quirks != QuirksRXE { // which does not look
		q.completeRecv(&verbs.WC{Status: verbs.WCWRFlushErr}, false)
	}
	return nil
}
