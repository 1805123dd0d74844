package verbstest

import (
	"syscall"

	"ibtour/verbs"
)

// objectCases: objects, their limits and who may be destroyed when (facts
// sheet 2, sections 1, 5 and 11).
var objectCases = []behaviour{
	{"port", checkPort},
	{"registration", checkRegistration},
	{"keys", checkKeys},
	{"completion queue size", checkCQSize},
	{"queue pair size", checkQPSize},
	{"busy", checkBusy},
}

func checkPort(s *suite) {
	ctx := s.open()
	port, err := ctx.QueryPort(1)
	s.works("query_port", err)
	if port.State != verbs.PortActive {
		s.Errorf("port is %v", port.State)
	}
	if port.LinkLayer != verbs.LinkEthernet || port.LID != 0 {
		s.Errorf("link layer %v, LID %v: want Ethernet and 0", port.LinkLayer, port.LID)
	}
	_, err = ctx.QueryPort(0)
	s.fails("query_port 0", err, syscall.EINVAL)
	_, err = ctx.QueryPort(99)
	s.fails("query_port 99", err, syscall.EINVAL)
	_, err = ctx.QueryGID(1, port.GIDTblLen)
	s.fails("query_gid behind the table", err, syscall.EINVAL)
	gids, err := ctx.PeekGIDs(1)
	s.works("query_gid", err)
	if len(gids) == 0 {
		s.Fatal("no GID")
	}
	for _, g := range gids {
		if g.Type != verbs.GIDTypeRoCEv2 {
			s.Errorf("GID %d is %v", g.Index, g.Type)
		}
	}
}

func checkRegistration(s *suite) {
	n := s.node()
	const unknown = verbs.AccessFlags(1 << 15)
	reg := func(size int, f verbs.AccessFlags) error {
		buf, err := verbs.AllocBuffer(size)
		s.works("mmap", err)
		defer buf.Free() //nolint:errcheck // cannot fail here
		mr, err := n.PD.RegMR(buf, f)
		if err == nil {
			s.works("dereg_mr", mr.Close())
		}
		return err
	}
	s.works("reg_mr without rights", reg(100, 0))
	s.works("reg_mr for the peer to read", reg(5000, verbs.AccessRemoteRead))
	s.fails("reg_mr remote but not local writing", reg(100, verbs.AccessRemoteWrite), syscall.EINVAL)
	s.fails("reg_mr atomic but not local writing", reg(100, verbs.AccessRemoteAtomic), syscall.EINVAL)
	s.fails("reg_mr unknown flag", reg(100, unknown), syscall.EINVAL, syscall.EOPNOTSUPP)
	s.fails("reg_mr of nothing", reg(0, verbs.AccessLocalWrite), syscall.EINVAL)
}

// checkKeys: soft0's keys differ; rxe's do not (14: "Keys").
func checkKeys(s *suite) {
	n := s.node()
	other, err := n.PD.RegMR(n.Buf, AllAccess)
	s.works("reg_mr twice", err)
	if same := uint32(n.MR.LKey()) == uint32(n.MR.RKey()); same != s.caps.RXE {
		s.Errorf("lkey %v, rkey %v", n.MR.LKey(), n.MR.RKey())
	}
	if other.LKey() == n.MR.LKey() || other.RKey() == n.MR.RKey() {
		s.Error("two regions have the same key")
	}
	s.works("dereg_mr", other.Close())
}

func checkCQSize(s *suite) {
	ctx := s.open()
	dev, err := ctx.QueryDevice()
	s.works("query_device", err)
	_, err = ctx.CreateCQ(0, nil)
	s.fails("create_cq of 0", err, syscall.EINVAL)
	_, err = ctx.CreateCQ(dev.MaxCQE+1, nil)
	s.fails("create_cq beyond max_cqe", err, syscall.EINVAL)
	cq, err := ctx.CreateCQ(1, nil)
	s.works("create_cq of 1", err)
	if cq.CQE() < 1 {
		s.Errorf("granted %d entries", cq.CQE())
	}
}

func checkQPSize(s *suite) {
	n := s.node()
	dev, err := n.Ctx.QueryDevice()
	s.works("query_device", err)
	for _, c := range []struct {
		what string
		cap  verbs.QPCap
	}{
		{"max_send_wr", verbs.QPCap{MaxSendWR: uint32(dev.MaxQPWR) + 1, MaxRecvWR: 1, MaxSendSGE: 1, MaxRecvSGE: 1}},
		{"max_recv_wr", verbs.QPCap{MaxSendWR: 1, MaxRecvWR: uint32(dev.MaxQPWR) + 1, MaxSendSGE: 1, MaxRecvSGE: 1}},
		{"max_send_sge", verbs.QPCap{MaxSendWR: 1, MaxRecvWR: 1, MaxSendSGE: uint32(dev.MaxSGE) + 1, MaxRecvSGE: 1}},
		{"max_recv_sge", verbs.QPCap{MaxSendWR: 1, MaxRecvWR: 1, MaxSendSGE: 1, MaxRecvSGE: uint32(dev.MaxSGE) + 1}},
	} {
		_, err := n.PD.CreateQP(verbs.QPConfig{SendCQ: n.SendCQ, RecvCQ: n.RecvCQ, Cap: c.cap, Type: verbs.QPTRC})
		s.fails("create_qp beyond "+c.what, err, syscall.EINVAL)
	}
	if n.QP.Num() < 2 || n.QP.Num() > 0xFFFFFF {
		s.Errorf("queue pair number %v", n.QP.Num())
	}
}

// checkBusy: what others depend on cannot be destroyed. Some versions of rxe
// say EINVAL of a completion queue (sheet 2, section 1).
func checkBusy(s *suite) {
	n := s.node(func(c *Config) { c.Channel = true })
	s.fails("dealloc_pd", n.PD.Close(), syscall.EBUSY)
	s.fails("destroy_cq", n.SendCQ.Close(), syscall.EBUSY, syscall.EINVAL)
	s.fails("destroy_comp_channel", n.Ch.Close(), syscall.EBUSY)
	s.works("destroy_qp", n.QP.Close())
	s.fails("dealloc_pd with a region", n.PD.Close(), syscall.EBUSY)
	s.works("destroy_cq", n.SendCQ.Close())
	s.works("destroy_cq", n.RecvCQ.Close())
	s.works("destroy_comp_channel", n.Ch.Close())
	s.works("dereg_mr", n.MR.Close())
	s.works("dealloc_pd", n.PD.Close())
}
