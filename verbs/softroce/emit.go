package softroce

import (
	"encoding/binary"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// maxFrame is the largest UDP payload: headers, a full packet and the ICRC.
const maxFrame = wire.BTHLen + wire.RETHLen + wire.AtomicETHLen + maxPacket + wire.ICRCLen

// emit is a queue pair's turn: it sends up to a burst of packets and reports
// the work that is finished. One request goes first, since a peer may be
// waiting for it while nobody waits for an acknowledge; then answers go first.
func (q *qp) emit() {
	if q.link != nil && q.dev.memory.n <= maxQueued {
		if q.nextRequest() && !q.sendRequest() {
			q.settle()
			return
		}
	}
	for range burst {
		if q.dev.memory.n > maxQueued {
			break
		}
		if !q.emitOne() {
			q.settle()
			return
		}
	}
	q.settle()
	q.dev.schedule(q) // it may have more
}

func (q *qp) emitOne() bool {
	if q.link == nil {
		return false
	}
	if q.keepsACK() {
		q.hold()
	} else if q.resp.next(q, &q.dev.reply) {
		q.acks.sent(q.longestHold())
		q.dev.sendReply(&q.env, q.link, q.attr.DestQPN)
		return true
	}
	return q.nextRequest() && q.sendRequest()
}

// nextRequest puts the next packet of the requester into dev.request, if there is
// one. The timer is started here, because most of the time it runs: then nobody
// needs the clock.
func (q *qp) nextRequest() bool {
	if !q.req.next(&q.dev.request) {
		return false
	}
	if q.req.deadline == 0 {
		q.req.startTimer(q.dev.now())
	}
	return true
}

// settle reports finished work and keeps the timer.
func (q *qp) settle() {
	for {
		w, ok := q.req.retire()
		if !ok {
			break
		}
		if w.state == wqeFailed {
			// Taken off the queue before the rest is flushed: first the
			// error, then what it took down with it (10.10.2.2).
			q.completeSend(w, w.status)
			if q.state != verbs.QPSErr {
				q.setState(verbs.QPSErr)
			}
			return
		}
		q.completeSend(w, verbs.WCSuccess)
	}
	if q.state == verbs.QPSSQD && q.attr.SQDraining && q.req.drained() {
		q.attr.SQDraining = false
		if q.attr.EnSQDAsyncNotify {
			q.raise(verbs.EventSQDrained)
		}
	}
	if at := q.req.deadline; at != 0 {
		q.dev.arm(at)
	}
}

// header starts a packet to a peer.
func (d *device) header(op wire.Opcode, dest verbs.QPN, psn wire.PSN) *wire.Packet {
	p := &d.out
	p.Opcode, p.PKey, p.DestQP, p.PSN = op, wire.DefaultPKey, dest, psn
	p.MigReq = d.opts.Quirks != QuirksRXE // what HCAs send as long as no path migration is armed
	p.Solicited, p.AckReq, p.Payload = false, false, nil
	return p
}

// sendRequest sends the packet of the requester in dev.request. It returns false if the work
// request's own memory may not be read: the request fails.
func (q *qp) sendRequest() bool {
	r := &q.dev.request
	p := q.dev.header(r.op, q.attr.DestQPN, r.psn)
	wr := &r.w.wr
	p.AckReq = r.ackReq
	switch r.w.kind() {
	case wire.KindReadRequest:
		p.RETH = wire.RETH{VA: wr.RemoteAddr + uint64(r.off), RKey: wr.RKey, DMALen: uint32(r.n)}
	case wire.KindCompareSwap:
		p.AtomicETH = wire.AtomicETH{VA: wr.RemoteAddr, RKey: wr.RKey, SwapAdd: wr.Swap, Compare: wr.CompareAdd}
	case wire.KindFetchAdd:
		p.AtomicETH = wire.AtomicETH{VA: wr.RemoteAddr, RKey: wr.RKey, SwapAdd: wr.CompareAdd}
	case wire.KindNone, wire.KindSend, wire.KindWrite, wire.KindReadResponse, wire.KindAck, wire.KindAtomicAck:
		var ok bool
		if p.Payload, ok = q.collect(r); !ok {
			q.req.failAt(r.psn, q.dev.sendFault())
			return false
		}
		p.RETH = wire.RETH{VA: wr.RemoteAddr, RKey: wr.RKey, DMALen: uint32(r.w.length)}
		p.ImmDt = wire.ImmDt(wr.Imm)
		p.IETH = wire.IETH{RKey: wr.InvalidateRKey}
		p.Solicited = wr.Flags&verbs.SendSolicited != 0 && p.Opcode.Position().Ends() && solicits(wr.Opcode)
	}
	q.dev.transmit(&q.env, q.link)
	return true
}

// sendFault is the status of a send whose own memory may not be read.
func (d *device) sendFault() verbs.WCStatus {
	if d.opts.Quirks == QuirksRXE {
		return verbs.WCLocQPOpErr
	}
	return verbs.WCLocProtErr
}

// solicits reports whether an operation may carry the solicited event bit: it
// must complete a receive (9.2.3).
func solicits(op verbs.WROpcode) bool { return op != verbs.WRRDMAWrite }

// sendReply sends the packet of a responder in d.reply.
func (d *device) sendReply(env *wire.Envelope, link Link, dest verbs.QPN) {
	a := &d.reply
	p := d.header(a.op, dest, a.psn)
	p.AETH = a.aeth
	p.AtomicAckETH.Orig = a.orig
	p.Payload = a.payload
	d.transmit(env, link)
}

// transmit encodes the packet prepared and puts it on the link.
func (d *device) transmit(env *wire.Envelope, link Link) {
	d.tx = d.sealing.Seal(env, d.tx[:0], &d.out)
	d.taps.sent(env, d.tx)
	if d.opts.Hook == nil {
		link.Send(env, d.tx)
	} else {
		d.carry(env, link, d.tx)
	}
}

// collect returns the payload of a request, from inline data or from the
// scatter/gather list.
func (q *qp) collect(r *request) ([]byte, bool) {
	if r.w.wr.Flags&verbs.SendInline != 0 {
		return r.w.inline[r.off : r.off+r.n], true
	}
	return q.gatherFrom(r.w.wr.SGList, r.off, r.n)
}

// gatherFrom returns n bytes at an offset of a list. If they are in one
// element they are not copied.
func (q *qp) gatherFrom(list []verbs.SGE, off, n int) ([]byte, bool) {
	d := q.dev
	out := d.gather[:0]
	for i := range list {
		s := &list[i]
		if size := int(s.Length); off >= size {
			off -= size
			continue
		}
		if n == 0 {
			break
		}
		part := min(n, int(s.Length)-off)
		mem := d.local(q.pd, s.LKey, s.Addr+uint64(off), part, 0)
		if mem == nil {
			return nil, false
		}
		if part == n && len(out) == 0 {
			return mem, true
		}
		out = append(out, mem...)
		n -= part
		off = 0
	}
	return out, n == 0
}

// scatterTo writes to the memory of a list from an offset on. It returns false
// if a part of it may not be written.
func (q *qp) scatterTo(list []verbs.SGE, off int, b []byte) bool {
	for i := range list {
		s := &list[i]
		if size := int(s.Length); off >= size {
			off -= size
			continue
		}
		if len(b) == 0 {
			break
		}
		part := min(len(b), int(s.Length)-off)
		mem := q.dev.local(q.pd, s.LKey, s.Addr+uint64(off), part, verbs.AccessLocalWrite)
		if mem == nil {
			return false
		}
		b = b[copy(mem, b):]
		off = 0
	}
	return len(b) == 0
}

// recvLen, scatter and remote make a queue pair the target of its responder.

func (q *qp) recvLen() (int, bool) {
	if q.rq.empty() {
		return 0, false
	}
	return q.rq.at(q.rq.head).length, true
}

func (q *qp) scatter(off int, b []byte) bool { return q.scatterTo(q.rq.at(q.rq.head).sges, off, b) }

func (q *qp) remote(r wire.RETH, n int, need verbs.AccessFlags) []byte {
	return q.dev.remote(q.pd, r.RKey, r.VA, n, need)
}

// store writes what a response brought to the work request's own memory.
func (q *qp) store(a arrival, p *wire.Packet) bool {
	if p.Opcode.Kind() == wire.KindAtomicAck {
		q.dev.gather = binary.NativeEndian.AppendUint64(q.dev.gather[:0], p.AtomicAckETH.Orig)
		return q.scatterTo(a.w.wr.SGList, 0, q.dev.gather)
	}
	return q.scatterTo(a.w.wr.SGList, a.off, p.Payload)
}
