package verbs

import (
	"fmt"
	"syscall"
)

// The states of a queue pair and how it moves between them
// (IBTA vol. 1, 10.3.1; ibv_modify_qp(3)):
//
//	          ┌────────────── any state ──────────────┐
//	          ▼                                       ▼
//	RESET ──▶ INIT ──▶ RTR ──▶ RTS ──▶ SQD ──▶ RTS   ERR ──▶ RESET
//	                            ▲
//	                  SQE ──────┘   (UC and UD only)

// Transition is one legal move of a queue pair: the attributes that must be
// given and those that may be.
type Transition struct {
	From, To QPState
	Required AttrMask
	Optional AttrMask
}

type move struct{ from, to QPState }

const (
	initAttrs = AttrPKeyIndex | AttrPort | AttrAccessFlags
	avAttrs   = AttrAV | AttrPathMTU | AttrDestQPN | AttrRQPSN
	altAttrs  = AttrAltPath | AttrPathMigState
	liveAttrs = AttrCurState | AttrAccessFlags | altAttrs
	pathAttrs = AttrAV | AttrAltPath | AttrAccessFlags | AttrPKeyIndex | AttrPathMigState
)

// transitions holds the table of ibv_modify_qp(3), less the moves to RESET
// and ERR, which need nothing and are legal from (almost) everywhere.
var transitions = map[QPType]map[move]Transition{
	QPTRC: table(
		Transition{QPSReset, QPSInit, initAttrs, 0},
		Transition{QPSInit, QPSInit, 0, initAttrs},
		Transition{
			QPSInit, QPSRTR, avAttrs | AttrMaxDestRDAtomic | AttrMinRNRTimer,
			AttrAltPath | AttrAccessFlags | AttrPKeyIndex,
		},
		Transition{
			QPSRTR, QPSRTS, AttrTimeout | AttrRetryCnt | AttrRNRRetry | AttrSQPSN | AttrMaxQPRDAtomic,
			liveAttrs | AttrMinRNRTimer,
		},
		Transition{QPSRTS, QPSRTS, 0, liveAttrs | AttrMinRNRTimer},
		Transition{QPSRTS, QPSSQD, 0, AttrEnSQDAsyncNotify},
		Transition{QPSSQD, QPSRTS, 0, liveAttrs | AttrMinRNRTimer},
		Transition{QPSSQD, QPSSQD, 0, pathAttrs | AttrPort | AttrTimeout | AttrRetryCnt | AttrRNRRetry |
			AttrMaxQPRDAtomic | AttrMaxDestRDAtomic | AttrMinRNRTimer},
	),
	QPTUC: table(
		Transition{QPSReset, QPSInit, initAttrs, 0},
		Transition{QPSInit, QPSInit, 0, initAttrs},
		Transition{QPSInit, QPSRTR, avAttrs, AttrAltPath | AttrAccessFlags | AttrPKeyIndex},
		Transition{QPSRTR, QPSRTS, AttrSQPSN, liveAttrs},
		Transition{QPSRTS, QPSRTS, 0, liveAttrs},
		Transition{QPSRTS, QPSSQD, 0, AttrEnSQDAsyncNotify},
		Transition{QPSSQD, QPSRTS, 0, liveAttrs},
		Transition{QPSSQD, QPSSQD, 0, pathAttrs},
		Transition{QPSSQE, QPSRTS, 0, AttrCurState | AttrAccessFlags},
	),
	QPTUD: table(
		Transition{QPSReset, QPSInit, AttrPKeyIndex | AttrPort | AttrQKey, 0},
		Transition{QPSInit, QPSInit, 0, AttrPKeyIndex | AttrPort | AttrQKey},
		Transition{QPSInit, QPSRTR, 0, AttrPKeyIndex | AttrQKey},
		Transition{QPSRTR, QPSRTS, AttrSQPSN, AttrCurState | AttrQKey},
		Transition{QPSRTS, QPSRTS, 0, AttrCurState | AttrQKey},
		Transition{QPSRTS, QPSSQD, 0, AttrEnSQDAsyncNotify},
		Transition{QPSSQD, QPSRTS, 0, AttrCurState | AttrQKey},
		Transition{QPSSQD, QPSSQD, 0, AttrPKeyIndex | AttrQKey},
		Transition{QPSSQE, QPSRTS, 0, AttrCurState | AttrQKey},
	),
}

func table(list ...Transition) map[move]Transition {
	m := make(map[move]Transition, len(list))
	for _, t := range list {
		m[move{t.From, t.To}] = t
	}
	return m
}

// FindTransition returns the rule for moving a queue pair of type t, and
// false if the move is not legal. Linux refuses RESET→ERR, which the
// specification allows.
func FindTransition(t QPType, from, to QPState) (Transition, bool) {
	if to == QPSReset || (to == QPSErr && from != QPSReset) {
		return Transition{From: from, To: to}, true
	}
	tr, ok := transitions[t][move{from, to}]
	return tr, ok
}

// TransitionsFrom returns every legal move out of a state, in the order of
// the states they lead to.
func TransitionsFrom(t QPType, from QPState) []Transition {
	var out []Transition
	for to := QPSReset; to <= QPSErr; to++ {
		if tr, ok := FindTransition(t, from, to); ok {
			out = append(out, tr)
		}
	}
	return out
}

// TransitionError says why a move of a queue pair is not legal.
// errors.Is(err, syscall.EINVAL) holds.
type TransitionError struct {
	From, To QPState
	Missing  AttrMask // required and not given
	Refused  AttrMask // given and not allowed here
	NoSuch   bool     // no such move
}

// Error names the attributes in question.
func (e *TransitionError) Error() string {
	move := Arrow(e.From, e.To)
	switch {
	case e.NoSuch:
		return fmt.Sprintf("a queue pair cannot go %s", move)
	case e.Missing != 0:
		return fmt.Sprintf("%s needs %v", move, e.Missing)
	}
	return fmt.Sprintf("%s does not take %v", move, e.Refused)
}

// Unwrap returns EINVAL.
func (e *TransitionError) Unwrap() error { return syscall.EINVAL }

// CheckTransition applies the rule of ibv_modify_qp(3): the mask holds every
// required attribute and nothing beyond the optional ones and the state.
func CheckTransition(t QPType, from, to QPState, mask AttrMask) error {
	tr, ok := FindTransition(t, from, to)
	if !ok {
		return &TransitionError{From: from, To: to, NoSuch: true}
	}
	if missing := tr.Required &^ mask; missing != 0 {
		return &TransitionError{From: from, To: to, Missing: missing}
	}
	if refused := mask &^ (tr.Required | tr.Optional | AttrState); refused != 0 {
		return &TransitionError{From: from, To: to, Refused: refused}
	}
	return nil
}

// Short returns the state without the C prefix: "RTR".
func (s QPState) Short() string {
	const prefix = "IBV_QPS_"
	if t := s.String(); len(t) > len(prefix) && t[:len(prefix)] == prefix {
		return t[len(prefix):]
	}
	return s.String()
}

// Arrow returns a move in words: "INIT→RTR".
func Arrow(from, to QPState) string { return from.Short() + "→" + to.Short() }
