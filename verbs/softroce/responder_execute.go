package softroce

import (
	"encoding/binary"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// send executes a packet of a SEND.
func (r *responder) send(p *wire.Packet, t target) *verdict {
	room, ok := t.recvLen()
	if !ok {
		return r.notReady()
	}
	if p.Opcode.CheckPayload(len(p.Payload), r.cfg.mtu) != nil {
		return r.refuse(wire.NAKInvalidRequest)
	}
	if p.Opcode.Position().Starts() {
		r.phase, r.off = respSending, 0
	}
	if r.off+len(p.Payload) > room {
		return r.tooLong()
	}
	if !t.scatter(r.off, p.Payload) {
		return r.badReceive()
	}
	r.off += len(p.Payload)
	if p.Opcode.Headers().Has(wire.HasIETH) {
		return r.invalidate()
	}
	if !p.Opcode.Position().Ends() {
		r.accept(p)
		return &r.verdict
	}
	return r.finish(p, verbs.WCRecv)
}

// finish completes the receive a message used.
func (r *responder) finish(p *wire.Packet, op verbs.WCOpcode) *verdict {
	r.phase = respIdle
	r.accept(p)
	v := &r.verdict
	v.kind, v.wc.Opcode, v.wc.ByteLen = received, op, uint32(r.off)
	if p.Opcode.Headers().Has(wire.HasImmDt) {
		v.wc.Flags, v.wc.Imm = verbs.WCWithImm, uint32(p.ImmDt)
	}
	return v
}

// tooLong is the verdict on a SEND that exceeds the receive (9.9.3). rxe calls
// it an operational error.
func (r *responder) tooLong() *verdict {
	if r.cfg.quirks == QuirksRXE {
		return r.refuse(wire.NAKRemoteOperational)
	}
	v := r.refuse(wire.NAKInvalidRequest)
	v.status = verbs.WCLocLenErr
	return v
}

// badReceive is the verdict if the receive's own memory may not be written.
func (r *responder) badReceive() *verdict {
	v := r.refuse(wire.NAKRemoteOperational)
	if r.cfg.quirks != QuirksRXE {
		v.status = verbs.WCLocProtErr
	}
	return v
}

// invalidate is the verdict on SEND with invalidate: only keys of memory
// windows and fast registrations can be made void by a peer, and this device
// has neither (IBTA vol. 1, 10.6.5). rxe goes to the error state without a NAK.
func (r *responder) invalidate() *verdict {
	v := r.refuse(wire.NAKRemoteAccess)
	v.silence = r.cfg.quirks == QuirksRXE
	return v
}

// write executes a packet of an RDMA WRITE.
func (r *responder) write(p *wire.Packet, t target) *verdict {
	if _, ok := t.recvLen(); p.Opcode.ConsumesRecv() && !ok {
		return r.notReady()
	}
	if p.Opcode.CheckPayload(len(p.Payload), r.cfg.mtu) != nil {
		return r.refuse(wire.NAKInvalidRequest)
	}
	reth := r.reth
	if p.Opcode.Position().Starts() {
		if reth = p.RETH; !r.inRange(reth, t, verbs.AccessRemoteWrite) {
			return r.refuse(wire.NAKRemoteAccess)
		}
		r.off = 0
	}
	if !r.fits(p, reth) {
		return r.refuse(wire.NAKInvalidRequest)
	}
	if n := len(p.Payload); n > 0 {
		mem := t.remote(reth, n, verbs.AccessRemoteWrite)
		if mem == nil {
			return r.refuse(wire.NAKRemoteAccess) // deregistered meanwhile
		}
		copy(mem, p.Payload)
		reth.VA, reth.DMALen = reth.VA+uint64(n), reth.DMALen-uint32(n)
		r.off += n
	}
	r.reth, r.phase = reth, respWriting
	switch {
	case p.Opcode.ConsumesRecv():
		return r.finish(p, verbs.WCRecvRDMAWithImm)
	case p.Opcode.Position().Ends():
		r.phase = respIdle
	}
	r.accept(p)
	return &r.verdict
}

// fits checks the payload of a WRITE against the length its RETH announced: the
// last packet must bring the last byte (9.7.4.1.5).
func (r *responder) fits(p *wire.Packet, left wire.RETH) bool {
	n := uint32(len(p.Payload))
	if p.Opcode.Position().Ends() {
		return n == left.DMALen
	}
	return n < left.DMALen && left.DMALen <= maxMessage
}

// inRange checks key, domain, right and range of a remote access. The key of
// an empty one is not looked at (IBTA vol. 1, C9-88).
func (r *responder) inRange(reth wire.RETH, t target, need verbs.AccessFlags) bool {
	return reth.DMALen == 0 || reth.DMALen <= maxMessage && t.remote(reth, int(reth.DMALen), need) != nil
}

// read accepts an RDMA READ. It takes as many PSNs as its answer has packets.
func (r *responder) read(p *wire.Packet, t target) *verdict {
	if r.cfg.destRD == 0 || len(p.Payload) > 0 || p.RETH.DMALen > maxMessage {
		return r.refuse(wire.NAKInvalidRequest)
	}
	if !r.out.room() {
		return &r.verdict // the requester exceeds max_dest_rd_atomic
	}
	if !r.inRange(p.RETH, t, verbs.AccessRemoteRead) {
		return r.refuse(wire.NAKRemoteAccess)
	}
	n := packets(int(p.RETH.DMALen), r.cfg.mtu)
	if n >= psnWindow {
		return r.refuse(wire.NAKInvalidRequest)
	}
	r.gap = gapNone
	r.psn, r.msn = r.psn.Add(n), r.msn.Add(1)
	r.store.add(saved{kind: wire.KindReadRequest, first: p.PSN, npsn: n, reth: p.RETH})
	r.out.push(response{kind: wire.KindReadResponse, psn: p.PSN, reth: p.RETH})
	return &r.verdict
}

// atomic executes an atomic, once, and keeps the answer (9.4.5).
func (r *responder) atomic(p *wire.Packet, t target) *verdict {
	a := p.AtomicETH
	if r.cfg.destRD == 0 || len(p.Payload) > 0 || a.VA%atomicLen != 0 {
		return r.refuse(wire.NAKInvalidRequest)
	}
	if !r.out.room() {
		return &r.verdict
	}
	mem := t.remote(wire.RETH{VA: a.VA, RKey: a.RKey}, atomicLen, verbs.AccessRemoteAtomic)
	if mem == nil {
		return r.refuse(wire.NAKRemoteAccess)
	}
	orig := binary.NativeEndian.Uint64(mem)
	switch {
	case p.Opcode.Kind() == wire.KindFetchAdd:
		binary.NativeEndian.PutUint64(mem, orig+a.SwapAdd)
	case orig == a.Compare:
		binary.NativeEndian.PutUint64(mem, a.SwapAdd)
	}
	r.gap = gapNone
	r.psn, r.msn = r.psn.Add(1), r.msn.Add(1)
	r.store.add(saved{kind: p.Opcode.Kind(), first: p.PSN, npsn: 1, orig: orig})
	r.out.push(response{kind: wire.KindAtomicAck, psn: p.PSN, aeth: r.ack(), orig: orig})
	return &r.verdict
}

// reply is a response packet to be sent.
type reply struct {
	op      wire.Opcode
	psn     wire.PSN
	aeth    wire.AETH
	orig    uint64
	payload []byte
}

// next puts the next response packet into out, if there is one. The memory of
// a READ is read now, and its key checked again: a repeated READ may bring newer
// data.
func (r *responder) next(t target, out *reply) bool {
	if r.out.n == 0 {
		return false
	}
	q := r.out.at(0)
	*out = reply{op: wire.OpAck, psn: q.psn, aeth: q.aeth, orig: q.orig}
	switch q.kind {
	case wire.KindReadResponse:
		*out = r.nextRead(q, t)
		return true
	case wire.KindAtomicAck:
		out.op = wire.OpAtomicAck
	case wire.KindNone, wire.KindSend, wire.KindWrite, wire.KindReadRequest, wire.KindAck,
		wire.KindCompareSwap, wire.KindFetchAdd:
	}
	r.out.pop()
	return true
}

// nextRead returns the next packet of a READ's answer.
func (r *responder) nextRead(q *response, t target) reply {
	n := min(int(q.reth.DMALen), r.cfg.mtu)
	last := n == int(q.reth.DMALen)
	out := reply{op: readResponses.at(q.part == readWhole, last), psn: q.psn, aeth: r.ack()}
	if n > 0 {
		if out.payload = t.remote(q.reth, n, verbs.AccessRemoteRead); out.payload == nil {
			// Deregistered since it was accepted.
			r.out.pop()
			return reply{op: wire.OpAck, psn: q.psn, aeth: wire.AETH{Syndrome: wire.NAK(wire.NAKRemoteAccess), MSN: r.msn}}
		}
	}
	q.part = readRest
	q.psn = q.psn.Add(1)
	q.reth.VA, q.reth.DMALen = q.reth.VA+uint64(n), q.reth.DMALen-uint32(n)
	if last {
		r.out.pop()
	}
	return out
}

// stop closes the responder and forgets what it had to say.
func (r *responder) stop() {
	r.phase = respClosed
	r.out.n = 0
}
