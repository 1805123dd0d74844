package verbstest

import (
	"syscall"

	"ibtour/verbs"
)

// postCases: what ibv_post_send and ibv_post_recv refuse (facts sheet 2,
// sections 1 and 3.3).
var postCases = []behaviour{
	{"post by state", checkPostStates},
	{"post too much", checkPostLimits},
}

func checkPostStates(s *suite) {
	n := s.node()
	send := verbs.SendWR{SGList: n.SGE(0, 8), Opcode: verbs.WRSend, Flags: verbs.SendSignaled}
	recv := verbs.RecvWR{SGList: n.SGE(0, 8)}
	s.fails("post_recv in RESET", n.QP.PostRecv(&recv), syscall.EINVAL)
	s.fails("post_send in RESET", n.QP.PostSend(&send), syscall.EINVAL)
	n.Modify(verbs.QPSInit, InitMask, nil)
	s.works("post_recv in INIT", n.QP.PostRecv(&recv))
	s.fails("post_send in INIT", n.QP.PostSend(&send), syscall.EINVAL)
	n.Modify(verbs.QPSRTR, RTRMask, n)
	s.works("post_recv in RTR", n.QP.PostRecv(&recv))
	s.fails("post_send in RTR", n.QP.PostSend(&send), syscall.EINVAL)
	n.Modify(verbs.QPSRTS, RTSMask, n)
	s.works("post_send in RTS", n.QP.PostSend(&send))
}

func checkPostLimits(s *suite) {
	a, _ := s.pair()
	c := a.QP.Cap()
	many := func(n uint32) []verbs.SGE {
		var list []verbs.SGE
		for range n {
			list = append(list, a.MR.SGE(0, 1))
		}
		return list
	}
	err := a.QP.PostSend(&verbs.SendWR{SGList: many(c.MaxSendSGE + 1), Opcode: verbs.WRSend})
	s.fails("post_send, too many elements", err, syscall.EINVAL)
	err = a.QP.PostRecv(&verbs.RecvWR{SGList: many(c.MaxRecvSGE + 1)})
	s.fails("post_recv, too many elements", err, syscall.EINVAL)
	if over := int(c.MaxInlineData) + 1; over < a.Buf.Len() {
		err = a.QP.PostSend(&verbs.SendWR{SGList: a.SGE(0, over), Opcode: verbs.WRSend, Flags: verbs.SendInline})
		s.fails("post_send, too long for inline", err, syscall.EINVAL)
	}
	for range 2 * c.MaxRecvWR { // a device may have room for more than it grants
		if err = a.QP.PostRecv(&verbs.RecvWR{SGList: a.SGE(0, 1)}); err != nil {
			break
		}
	}
	s.fails("post_recv, queue full", err, syscall.ENOMEM)
}
