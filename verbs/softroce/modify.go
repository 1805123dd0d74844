package softroce

import (
	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// modify applies ibv_modify_qp: first every check, then every attribute, then
// the state. A call that fails changes nothing.
func (q *qp) modify(attr *verbs.QPAttr, mask verbs.AttrMask) error {
	from, to := q.state, q.state
	if mask&verbs.AttrCurState != 0 {
		if attr.CurState != q.state && q.dev.opts.Quirks != QuirksRXE {
			return errInval
		}
		from = attr.CurState // rxe believes it
	}
	if mask&verbs.AttrState != 0 {
		to = attr.State
	}
	if verbs.CheckTransition(verbs.QPTRC, from, to, mask) != nil {
		return errInval
	}
	if err := q.checkAttrs(attr, mask); err != nil {
		return err
	}
	if mask&verbs.AttrAV != 0 {
		if err := q.connect(attr, mask); err != nil {
			return err
		}
	}
	q.dev.pumpAll(q.dev.now()) // an ACK that waits leaves before the state changes
	q.setAttrs(attr, mask)
	if mask&verbs.AttrState != 0 {
		q.setState(to)
	} else {
		q.refresh()
	}
	q.dev.pump()
	return nil
}

// checkAttrs applies what the kernel and a driver check beyond the table.
func (q *qp) checkAttrs(a *verbs.QPAttr, mask verbs.AttrMask) error {
	has := func(bit verbs.AttrMask) bool { return mask&bit != 0 }
	limit := q.dev.maxRDAtomic()
	switch {
	case has(verbs.AttrPort) && a.PortNum != 1,
		has(verbs.AttrPKeyIndex) && a.PKeyIndex != 0,
		has(verbs.AttrAccessFlags) && a.AccessFlags&^mrAccess != 0,
		has(verbs.AttrAltPath), // there is no second port
		has(verbs.AttrPathMigState) && a.PathMigState != verbs.MigMigrated,
		has(verbs.AttrTimeout) && a.Timeout > maxTimerCode,
		has(verbs.AttrMinRNRTimer) && a.MinRNRTimer > maxTimerCode,
		has(verbs.AttrRetryCnt) && a.RetryCnt > maxRetry,
		has(verbs.AttrRNRRetry) && a.RNRRetry > maxRetry,
		has(verbs.AttrMaxQPRDAtomic) && int(a.MaxRDAtomic) > limit,
		has(verbs.AttrMaxDestRDAtomic) && int(a.MaxDestRDAtomic) > limit && q.dev.opts.Quirks != QuirksRXE:
		return errInval
	}
	if has(verbs.AttrPathMTU) {
		return q.checkMTU(a.PathMTU)
	}
	return nil
}

// checkMTU refuses a path MTU the port cannot carry. rxe accepts it, and the
// packets are lost.
func (q *qp) checkMTU(m verbs.MTU) error {
	most := q.dev.opts.mtu()
	if q.dev.opts.Quirks == QuirksRXE {
		most = verbs.MTU4096
	}
	if m.Bytes() == 0 || m > most {
		return errInval
	}
	return nil
}

// connect resolves the address vector: it chooses the link and prepares the
// envelope of the packets to the peer. EINVAL: no GRH on a RoCE port, another
// port, no such GID. ENETUNREACH: no route. EADDRINUSE: somebody else has the
// UDP port.
func (q *qp) connect(a *verbs.QPAttr, mask verbs.AttrMask) error {
	d, grh := q.dev, &a.AH.GRH
	if !a.AH.IsGlobal || a.AH.PortNum != 1 || int(grh.SGIDIndex) >= len(d.gids) || grh.DGID.IsZero() {
		return errInval
	}
	local := d.gids[grh.SGIDIndex]
	if local.addr.Is4() != grh.DGID.Addr().Is4() {
		return errInval
	}
	dest := q.attr.DestQPN
	if mask&verbs.AttrDestQPN != 0 {
		dest = a.DestQPN
	}
	link, from, to, err := d.linkTo(local, grh.DGID, wire.SourcePortFor(grh.FlowLabel, q.num, dest))
	if err != nil {
		return q.explain(err, local)
	}
	q.link = link
	q.env = wire.Envelope{
		Src: from, Dst: to,
		TrafficClass: grh.TrafficClass, HopLimit: grh.HopLimit, FlowLabel: grh.FlowLabel,
	}
	return nil
}

// explain gives EADDRINUSE the words a learner needs; other errors keep theirs.
func (q *qp) explain(err error, local gid) error {
	errno, ok := errnoOf(err)
	if !ok {
		return err
	}
	if errno != errAddrInUse {
		return errno
	}
	return &verbs.Error{
		Op: "ibv_modify_qp", Object: "QP " + q.num.String(), Errno: errno,
		Hint: "UDP port 4791 of " + local.addr.String() + " is taken: the Linux rxe driver owns it in this network " +
			"namespace (remove rdma_rxe, or use its device), or another process runs " + q.dev.opts.Name +
			" on this address (choose another one, such as " + q.dev.opts.Name + "?addr=127.0.0.2)",
	}
}

// setAttrs takes over what the mask selects.
func (q *qp) setAttrs(a *verbs.QPAttr, mask verbs.AttrMask) {
	set := func(bit verbs.AttrMask, do func()) {
		if mask&bit != 0 {
			do()
		}
	}
	t := &q.attr
	set(verbs.AttrEnSQDAsyncNotify, func() { t.EnSQDAsyncNotify = a.EnSQDAsyncNotify })
	set(verbs.AttrAccessFlags, func() { t.AccessFlags = a.AccessFlags })
	set(verbs.AttrPKeyIndex, func() { t.PKeyIndex = a.PKeyIndex })
	set(verbs.AttrPort, func() { t.PortNum = a.PortNum })
	set(verbs.AttrAV, func() { t.AH = a.AH })
	set(verbs.AttrPathMTU, func() { t.PathMTU = a.PathMTU })
	set(verbs.AttrTimeout, func() { t.Timeout = a.Timeout })
	set(verbs.AttrRetryCnt, func() { t.RetryCnt = a.RetryCnt })
	set(verbs.AttrRNRRetry, func() { t.RNRRetry = a.RNRRetry })
	set(verbs.AttrRQPSN, func() { t.RQPSN = a.RQPSN & wire.PSNMask })
	set(verbs.AttrMaxQPRDAtomic, func() { t.MaxRDAtomic = a.MaxRDAtomic })
	set(verbs.AttrMinRNRTimer, func() { t.MinRNRTimer = a.MinRNRTimer })
	set(verbs.AttrSQPSN, func() { t.SQPSN = a.SQPSN & wire.PSNMask })
	set(verbs.AttrMaxDestRDAtomic, func() { t.MaxDestRDAtomic = a.MaxDestRDAtomic })
	set(verbs.AttrDestQPN, func() { t.DestQPN = a.DestQPN & wire.PSNMask })
}

// refresh hands changed attributes to the two machines.
func (q *qp) refresh() {
	q.resp.cfg.access = q.attr.AccessFlags
	q.resp.cfg.rnr = wire.RNRTimer(q.attr.MinRNRTimer)
	draining := q.req.cfg.draining
	q.req.cfg = q.reqConfig()
	q.req.cfg.draining = draining
}
