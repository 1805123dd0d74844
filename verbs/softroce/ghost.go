package softroce

import (
	"time"

	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// ghost is what stays of a queue pair that was destroyed: it repeats its
// acknowledgements. A program that saw the last message of a conversation may
// be gone before its peer knows that this message arrived; without a ghost the
// peer would end with RETRY_EXC_ERR. A ghost touches no memory.
type ghost struct {
	env   wire.Envelope
	link  Link
	dest  verbs.QPN
	resp  responder
	until time.Duration
}

// leaveGhost makes the ghost of a queue pair that has answered requests. It
// stays for some time after the last of them.
func (q *qp) leaveGhost() {
	d := q.dev
	if q.link == nil || q.resp.phase == respClosed || q.heard == 0 {
		return
	}
	now := d.now()
	for n, g := range d.ghosts {
		if now > g.until {
			delete(d.ghosts, n)
		}
	}
	until := q.heard + q.linger()
	d.ghosts[q.num] = &ghost{env: q.env, link: q.link, dest: q.attr.DestQPN, resp: q.resp, until: until}
	if q.link != Link(&d.memory) {
		q.pd.ctx.linger = max(q.pd.ctx.linger, until)
	}
}

// linger is about how long the peer waits for an acknowledgement: its timeout
// is not known here, but is usually the same as ours. A device may take up to
// four times the nominal time; most take less than two.
func (q *qp) linger() time.Duration {
	t := wire.AckTimeout(q.attr.Timeout)
	if t.Infinite() {
		return lingerMax
	}
	return min(max(2*t.Duration(), lingerMin), lingerMax)
}

// haunt answers a packet to a queue pair that is no more.
func (d *device) haunt(env *wire.Envelope, b []byte, via Link, now time.Duration) dropReason {
	p := &d.in
	g := d.ghosts[p.DestQP]
	if g == nil || now > g.until || !p.Opcode.IsRequest() || p.Opcode == wire.OpReadRequest {
		return dropQPN
	}
	if via != g.link || !samePath(env, &g.env) {
		return dropAddress
	}
	if why := d.intact(env, b, via); why != dropNone {
		return why
	}
	if !p.PSN.Before(g.resp.psn) {
		return dropState // a new request: there is nobody to execute it
	}
	g.resp.duplicate(p)
	for g.resp.next(nil, &d.reply) {
		d.sendReply(&g.env, g.link, g.dest)
	}
	return dropNone
}
