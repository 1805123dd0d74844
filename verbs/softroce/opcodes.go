package softroce

import (
	"ibtour/verbs"
	"ibtour/verbs/wire"
)

// series are the opcodes of a message: one packet, or several.
type series struct{ only, first, middle, last wire.Opcode }

// requests gives the packets of each send operation (IBTA vol. 1, 9.4).
var requests = [...]series{
	verbs.WRSend:             {wire.OpSendOnly, wire.OpSendFirst, wire.OpSendMiddle, wire.OpSendLast},
	verbs.WRSendWithImm:      {wire.OpSendOnlyImm, wire.OpSendFirst, wire.OpSendMiddle, wire.OpSendLastImm},
	verbs.WRSendWithInv:      {wire.OpSendOnlyInv, wire.OpSendFirst, wire.OpSendMiddle, wire.OpSendLastInv},
	verbs.WRRDMAWrite:        {wire.OpWriteOnly, wire.OpWriteFirst, wire.OpWriteMiddle, wire.OpWriteLast},
	verbs.WRRDMAWriteWithImm: {wire.OpWriteOnlyImm, wire.OpWriteFirst, wire.OpWriteMiddle, wire.OpWriteLastImm},

	// One request each, whatever comes back.
	verbs.WRRDMARead:          every(wire.OpReadRequest),
	verbs.WRAtomicCmpAndSwp:   every(wire.OpCompareSwap),
	verbs.WRAtomicFetchAndAdd: every(wire.OpFetchAdd),
}

var readResponses = series{
	wire.OpReadResponseOnly, wire.OpReadResponseFirst, wire.OpReadResponseMiddle, wire.OpReadResponseLast,
}

func every(op wire.Opcode) series { return series{op, op, op, op} }

func (s *series) at(first, last bool) wire.Opcode {
	switch {
	case first && last:
		return s.only
	case first:
		return s.first
	case last:
		return s.last
	}
	return s.middle
}

// requestOpcode returns the opcode of a packet of a send operation.
func requestOpcode(op verbs.WROpcode, first, last bool) wire.Opcode {
	return requests[op].at(first, last)
}

// completionOpcode returns what a completion calls a send operation.
func completionOpcode(op verbs.WROpcode) verbs.WCOpcode {
	switch op {
	case verbs.WRRDMAWrite, verbs.WRRDMAWriteWithImm:
		return verbs.WCRDMAWrite
	case verbs.WRRDMARead:
		return verbs.WCRDMARead
	case verbs.WRAtomicCmpAndSwp:
		return verbs.WCCompSwap
	case verbs.WRAtomicFetchAndAdd:
		return verbs.WCFetchAdd
	case verbs.WRSend, verbs.WRSendWithImm, verbs.WRSendWithInv, verbs.WRLocalInv, verbs.WRBindMW:
	}
	return verbs.WCSend
}
