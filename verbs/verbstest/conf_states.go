package verbstest

import (
	"syscall"

	"ibtour/verbs"
)

// stateCases: ibv_modify_qp (facts sheet 2, section 3).
var stateCases = []behaviour{
	{"RESET to RTS", checkPath},
	{"illegal transitions", checkIllegal},
	{"attribute masks", checkMasks},
	{"attribute values", checkValues},
	{"current state", checkCurState},
	{"ERR and back", checkErrState},
	{"RESET discards", checkReset},
}

func checkPath(s *suite) {
	n := s.node()
	s.state(n, verbs.QPSReset)
	n.Modify(verbs.QPSInit, InitMask, nil)
	s.state(n, verbs.QPSInit)
	n.Modify(verbs.QPSInit, verbs.AttrAccessFlags, nil)
	n.Modify(verbs.QPSRTR, RTRMask, n)
	s.state(n, verbs.QPSRTR)
	n.Modify(verbs.QPSRTS, RTSMask, n)
	s.state(n, verbs.QPSRTS)
	n.Modify(verbs.QPSRTS, verbs.AttrMinRNRTimer, n)
	attr, err := n.QP.Query(verbs.AttrSQPSN | verbs.AttrDestQPN | verbs.AttrPathMTU | verbs.AttrTimeout)
	s.works("query_qp", err)
	if attr.SQPSN != n.PSN || attr.DestQPN != n.QP.Num() || attr.PathMTU != n.MTU || attr.Timeout != 14 {
		s.Errorf("attributes %+v", attr)
	}
}

func checkIllegal(s *suite) {
	n := s.node()
	try := func(to verbs.QPState, mask verbs.AttrMask) {
		s.Helper()
		attr := n.DefaultAttr(n)
		attr.State = to
		before, err := n.QP.Query(verbs.AttrState)
		s.works("query_qp", err)
		s.fails(verbs.Arrow(before.State, to), n.QP.Modify(attr, mask|verbs.AttrState), syscall.EINVAL)
		s.state(n, before.State)
	}
	try(verbs.QPSRTR, RTRMask)
	try(verbs.QPSRTS, RTSMask)
	try(verbs.QPSErr, 0) // the specification allows it, Linux does not
	n.Modify(verbs.QPSInit, InitMask, nil)
	try(verbs.QPSRTS, RTSMask)
	n.Modify(verbs.QPSRTR, RTRMask, n)
	try(verbs.QPSInit, InitMask)
	n.Modify(verbs.QPSErr, 0, nil)
	try(verbs.QPSRTS, RTSMask)
	try(verbs.QPSInit, InitMask)
}

// checkMasks leaves out each required attribute, and gives one too many.
func checkMasks(s *suite) {
	n := s.node()
	attr := n.DefaultAttr(n)
	for _, step := range []struct {
		to    verbs.QPState
		mask  verbs.AttrMask
		extra verbs.AttrMask
	}{
		{verbs.QPSInit, InitMask, verbs.AttrTimeout},
		{verbs.QPSRTR, RTRMask, verbs.AttrTimeout},
		{verbs.QPSRTS, RTSMask, verbs.AttrDestQPN},
	} {
		attr.State = step.to
		for bit := verbs.AttrMask(1); bit <= verbs.AttrDestQPN; bit <<= 1 {
			if step.mask&bit != 0 {
				err := n.QP.Modify(attr, step.mask&^bit|verbs.AttrState)
				s.fails(step.to.Short()+" without "+bit.String(), err, syscall.EINVAL)
			}
		}
		err := n.QP.Modify(attr, step.mask|step.extra|verbs.AttrState)
		s.fails(step.to.Short()+" with "+step.extra.String(), err, syscall.EINVAL)
		n.Modify(step.to, step.mask, n)
	}
}

func checkValues(s *suite) {
	n := s.node()
	try := func(what string, to verbs.QPState, mask verbs.AttrMask, spoil func(*verbs.QPAttr)) {
		s.Helper()
		attr := n.DefaultAttr(n)
		attr.State = to
		spoil(&attr)
		err := n.QP.Modify(attr, mask|verbs.AttrState)
		s.fails(what, err, syscall.EINVAL, syscall.ENODATA)
	}
	try("port 0", verbs.QPSInit, InitMask, func(a *verbs.QPAttr) { a.PortNum = 0 })
	try("port 9", verbs.QPSInit, InitMask, func(a *verbs.QPAttr) { a.PortNum = 9 })
	n.Modify(verbs.QPSInit, InitMask, nil)
	try("no GRH on RoCE", verbs.QPSRTR, RTRMask, func(a *verbs.QPAttr) { a.AH.IsGlobal = false })
	try("AV port", verbs.QPSRTR, RTRMask, func(a *verbs.QPAttr) { a.AH.PortNum = 9 })
	try("sgid index", verbs.QPSRTR, RTRMask, func(a *verbs.QPAttr) { a.AH.GRH.SGIDIndex = 255 })
	try("path MTU", verbs.QPSRTR, RTRMask, func(a *verbs.QPAttr) { a.PathMTU = 6 })
	if !s.caps.RXE { // which takes any value; measured in the lab, against sheet 2, section 3.2
		try("max_dest_rd_atomic", verbs.QPSRTR, RTRMask, func(a *verbs.QPAttr) { a.MaxDestRDAtomic = 255 })
	}
	s.state(n, verbs.QPSInit)
	n.Modify(verbs.QPSRTR, RTRMask, n)
	try("timeout", verbs.QPSRTS, RTSMask, func(a *verbs.QPAttr) { a.Timeout = 32 })
	try("max_rd_atomic", verbs.QPSRTS, RTSMask, func(a *verbs.QPAttr) { a.MaxRDAtomic = 255 })
	s.state(n, verbs.QPSRTR)
}

// checkCurState: rxe believes what the caller says of the current state;
// measured in the lab.
func checkCurState(s *suite) {
	a, _ := s.pair()
	attr := verbs.QPAttr{State: verbs.QPSRTS, CurState: verbs.QPSSQD}
	err := a.QP.Modify(attr, verbs.AttrState|verbs.AttrCurState)
	if s.caps.RXE {
		s.works("wrong current state", err)
	} else {
		s.fails("wrong current state", err, syscall.EINVAL)
	}
	attr.CurState = verbs.QPSRTS
	s.works("right current state", a.QP.Modify(attr, verbs.AttrState|verbs.AttrCurState))
}

func checkErrState(s *suite) {
	a, b := s.pair()
	a.Modify(verbs.QPSErr, 0, nil)
	s.state(a, verbs.QPSErr)
	a.Modify(verbs.QPSErr, 0, nil) // again
	a.Modify(verbs.QPSReset, 0, nil)
	b.Modify(verbs.QPSReset, 0, nil)
	s.state(a, verbs.QPSReset)
	a.Connect(b)
	b.Connect(a)
	b.Recv(1, 0, 100)
	a.Send(2, 0, 100)
	a.Want(a.SendCQ, 2, verbs.WCSuccess)
	b.Want(b.RecvCQ, 1, verbs.WCSuccess)
}

// checkReset: work that was posted vanishes without a completion.
func checkReset(s *suite) {
	a, _ := s.pair()
	for i := range 3 {
		a.Recv(uint64(i), 0, 10)
	}
	a.Modify(verbs.QPSReset, 0, nil)
	a.None(a.RecvCQ)
}
