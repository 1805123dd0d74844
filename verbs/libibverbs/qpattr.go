//go:build linux && !android && (amd64 || arm64)

package libibverbs

import "ibtour/verbs"

func (c *cQPCap) from(v *verbs.QPCap) {
	c.maxSendWR, c.maxRecvWR = v.MaxSendWR, v.MaxRecvWR
	c.maxSendSGE, c.maxRecvSGE = v.MaxSendSGE, v.MaxRecvSGE
	c.maxInlineData = v.MaxInlineData
}

func (c *cQPCap) cap() verbs.QPCap {
	return verbs.QPCap{
		MaxSendWR: c.maxSendWR, MaxRecvWR: c.maxRecvWR,
		MaxSendSGE: c.maxSendSGE, MaxRecvSGE: c.maxRecvSGE, MaxInlineData: c.maxInlineData,
	}
}

func (a *cAHAttr) from(v *verbs.AHAttr) {
	a.dgid, a.flowLabel = v.GRH.DGID, v.GRH.FlowLabel
	a.sgidIndex, a.hopLimit, a.trafficClass = v.GRH.SGIDIndex, v.GRH.HopLimit, v.GRH.TrafficClass
	a.dlid, a.sl, a.srcPathBits = uint16(v.DLID), v.SL, v.SrcPathBits
	a.staticRate, a.isGlobal, a.portNum = v.StaticRate, cBool(v.IsGlobal), v.PortNum
}

func (a *cAHAttr) attr() verbs.AHAttr {
	return verbs.AHAttr{
		GRH: verbs.GlobalRoute{
			DGID: a.dgid, FlowLabel: a.flowLabel, SGIDIndex: a.sgidIndex,
			HopLimit: a.hopLimit, TrafficClass: a.trafficClass,
		},
		DLID: verbs.LID(a.dlid), SL: a.sl, SrcPathBits: a.srcPathBits,
		StaticRate: a.staticRate, IsGlobal: a.isGlobal != 0, PortNum: a.portNum,
	}
}

func (a *cQPAttr) from(v *verbs.QPAttr) {
	a.state, a.curState = uint32(v.State), uint32(v.CurState)
	a.pathMTU, a.pathMigState, a.qkey = uint32(v.PathMTU), uint32(v.PathMigState), uint32(v.QKey)
	a.rqPSN, a.sqPSN, a.destQPNum = uint32(v.RQPSN), uint32(v.SQPSN), uint32(v.DestQPN)
	a.accessFlags = uint32(v.AccessFlags)
	a.cap.from(&v.Cap)
	a.ah.from(&v.AH)
	a.altAH.from(&v.AltAH)
	a.pkeyIndex, a.altPKeyIndex = v.PKeyIndex, v.AltPKeyIndex
	a.enSQDAsyncNotify, a.sqDraining = cBool(v.EnSQDAsyncNotify), cBool(v.SQDraining)
	a.maxRDAtomic, a.maxDestRDAtomic, a.minRNRTimer = v.MaxRDAtomic, v.MaxDestRDAtomic, v.MinRNRTimer
	a.portNum, a.timeout, a.retryCnt, a.rnrRetry = v.PortNum, v.Timeout, v.RetryCnt, v.RNRRetry
	a.altPortNum, a.altTimeout = v.AltPortNum, v.AltTimeout
}

func (a *cQPAttr) attr() verbs.QPAttr {
	return verbs.QPAttr{
		State: verbs.QPState(a.state), CurState: verbs.QPState(a.curState),
		PathMTU: verbs.MTU(a.pathMTU), PathMigState: verbs.MigState(a.pathMigState),
		QKey: verbs.QKey(a.qkey), RQPSN: verbs.PSN(a.rqPSN), SQPSN: verbs.PSN(a.sqPSN),
		DestQPN: verbs.QPN(a.destQPNum), AccessFlags: verbs.AccessFlags(a.accessFlags),
		Cap: a.cap.cap(), AH: a.ah.attr(), AltAH: a.altAH.attr(),
		PKeyIndex: a.pkeyIndex, AltPKeyIndex: a.altPKeyIndex,
		EnSQDAsyncNotify: a.enSQDAsyncNotify != 0, SQDraining: a.sqDraining != 0,
		MaxRDAtomic: a.maxRDAtomic, MaxDestRDAtomic: a.maxDestRDAtomic, MinRNRTimer: a.minRNRTimer,
		PortNum: a.portNum, Timeout: a.timeout, RetryCnt: a.retryCnt, RNRRetry: a.rnrRetry,
		AltPortNum: a.altPortNum, AltTimeout: a.altTimeout,
	}
}
