package verbs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"ibtour/verbs"
)

// moves is the table of the kernel (ib_modify_qp_is_ok), typed by hand from
// ibv_modify_qp(3) and the kernel's table, in the kernel's words and not from
// the code under test. A line is "type from to: required | optional".
const moves = `
RC RESET INIT: PKEY_INDEX PORT ACCESS_FLAGS |
RC INIT INIT: | PKEY_INDEX PORT ACCESS_FLAGS
RC INIT RTR: AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER | ALT_PATH ACCESS_FLAGS PKEY_INDEX
RC RTR RTS: TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC | CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE
RC RTS RTS: | CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER
RC RTS SQD: | EN_SQD_ASYNC_NOTIFY
RC SQD RTS: | CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE
RC SQD SQD: | PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE
UC RESET INIT: PKEY_INDEX PORT ACCESS_FLAGS |
UC INIT INIT: | PKEY_INDEX PORT ACCESS_FLAGS
UC INIT RTR: AV PATH_MTU DEST_QPN RQ_PSN | ALT_PATH ACCESS_FLAGS PKEY_INDEX
UC RTR RTS: SQ_PSN | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
UC RTS RTS: | CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE
UC RTS SQD: | EN_SQD_ASYNC_NOTIFY
UC SQD RTS: | CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
UC SQD SQD: | AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE
UC SQE RTS: | CUR_STATE ACCESS_FLAGS
UD RESET INIT: PKEY_INDEX PORT QKEY |
UD INIT INIT: | PKEY_INDEX PORT QKEY
UD INIT RTR: | PKEY_INDEX QKEY
UD RTR RTS: SQ_PSN | CUR_STATE QKEY
UD RTS RTS: | CUR_STATE QKEY
UD RTS SQD: | EN_SQD_ASYNC_NOTIFY
UD SQD RTS: | CUR_STATE QKEY
UD SQD SQD: | PKEY_INDEX QKEY
UD SQE RTS: | CUR_STATE QKEY
`

// The numbers of the C enumerations, from the same source.
var (
	stateNumbers = map[string]verbs.QPState{"RESET": 0, "INIT": 1, "RTR": 2, "RTS": 3, "SQD": 4, "SQE": 5, "ERR": 6}
	typeNumbers  = map[string]verbs.QPType{"RC": 2, "UC": 3, "UD": 4}
	attrBits     = map[string]int{
		"STATE": 0, "CUR_STATE": 1, "EN_SQD_ASYNC_NOTIFY": 2, "ACCESS_FLAGS": 3, "PKEY_INDEX": 4, "PORT": 5,
		"QKEY": 6, "AV": 7, "PATH_MTU": 8, "TIMEOUT": 9, "RETRY_CNT": 10, "RNR_RETRY": 11, "RQ_PSN": 12,
		"MAX_QP_RD_ATOMIC": 13, "ALT_PATH": 14, "MIN_RNR_TIMER": 15, "SQ_PSN": 16, "MAX_DEST_RD_ATOMIC": 17,
		"PATH_MIG_STATE": 18, "CAP": 19, "DEST_QPN": 20,
	}
)

type rule struct{ required, optional verbs.AttrMask }

// rules returns the moves by "RC INIT RTR".
func rules(t *testing.T) map[string]rule {
	t.Helper()
	m := map[string]rule{}
	for line := range strings.Lines(strings.TrimSpace(moves)) {
		move, masks, _ := strings.Cut(strings.TrimSpace(line), ":")
		required, optional, _ := strings.Cut(masks, "|")
		m[move] = rule{maskOf(t, required), maskOf(t, optional)}
	}
	for typ := range typeNumbers {
		for state := range stateNumbers {
			m[typ+" "+state+" RESET"] = rule{}
			if state != "RESET" {
				m[typ+" "+state+" ERR"] = rule{}
			}
		}
	}
	return m
}

func maskOf(t *testing.T, names string) (m verbs.AttrMask) {
	t.Helper()
	for _, n := range strings.Fields(names) {
		bit, ok := attrBits[n]
		if !ok {
			t.Fatalf("there is no attribute %s", n)
		}
		m |= 1 << bit
	}
	return m
}

// everyMove calls f for every type, state and state, with the rule if the move
// is legal.
func everyMove(t *testing.T, f func(name string, typ verbs.QPType, from, to verbs.QPState, r rule, legal bool)) {
	t.Helper()
	m := rules(t)
	for typName, typ := range typeNumbers {
		for fromName, from := range stateNumbers {
			for toName, to := range stateNumbers {
				name := typName + " " + fromName + " " + toName
				r, legal := m[name]
				f(name, typ, from, to, r, legal)
				delete(m, name)
			}
		}
	}
	for name := range m {
		t.Errorf("%s was not asked for", name)
	}
}

func TestTransitionTable(t *testing.T) {
	everyMove(t, func(name string, typ verbs.QPType, from, to verbs.QPState, r rule, legal bool) {
		tr, ok := verbs.FindTransition(typ, from, to)
		if ok != legal {
			t.Errorf("%s: legal is %v, want %v", name, ok, legal)
			return
		}
		if legal && tr != (verbs.Transition{From: from, To: to, Required: r.required, Optional: r.optional}) {
			t.Errorf("%s: %+v, want required %v, optional %v", name, tr, r.required, r.optional)
		}
	})
}

func TestTransitionsFrom(t *testing.T) {
	var want []string
	everyMove(t, func(_ string, typ verbs.QPType, from, to verbs.QPState, _ rule, legal bool) {
		if legal {
			want = append(want, fmt.Sprint(typ, from, to))
		}
	})
	n := 0
	for _, typ := range typeNumbers {
		for _, from := range stateNumbers {
			last := verbs.QPState(0)
			for i, tr := range verbs.TransitionsFrom(typ, from) {
				if i > 0 && tr.To <= last {
					t.Errorf("%v from %v: the moves are out of order", typ, from)
				}
				last = tr.To
				n++
			}
		}
	}
	if n != len(want) {
		t.Errorf("%d moves in all, want %d", n, len(want))
	}
}

// checkMask asserts what CheckTransition says of one mask.
func checkMask(t *testing.T, name string, typ verbs.QPType, from, to verbs.QPState, r rule, legal bool, mask verbs.AttrMask) {
	t.Helper()
	err := verbs.CheckTransition(typ, from, to, mask)
	missing, refused := r.required&^mask, mask&^(r.required|r.optional|verbs.AttrState)
	if legal && missing == 0 && refused == 0 {
		if err != nil {
			t.Errorf("%s with %v: %v", name, mask, err)
		}
		return
	}
	want := verbs.TransitionError{From: from, To: to, NoSuch: !legal}
	switch {
	case !legal:
	case missing != 0:
		want.Missing = missing
	default:
		want.Refused = refused
	}
	var te *verbs.TransitionError
	if !errors.As(err, &te) || *te != want || !errors.Is(err, syscall.EINVAL) {
		t.Errorf("%s with %v: %v, want %+v", name, mask, err, want)
	}
}

// Exactly the masks between required and required|optional|STATE are accepted:
// every mask that differs in one bit from an edge, and many at random.
func TestCheckTransition(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	everyMove(t, func(name string, typ verbs.QPType, from, to verbs.QPState, r rule, legal bool) {
		least, most := r.required, r.required|r.optional|verbs.AttrState
		for _, mask := range []verbs.AttrMask{least, most, 0, 1<<32 - 1} {
			checkMask(t, name, typ, from, to, r, legal, mask)
			for bit := range 32 {
				checkMask(t, name, typ, from, to, r, legal, mask^1<<bit)
			}
		}
		for range 50 {
			mask := verbs.AttrMask(rnd.Uint32())
			checkMask(t, name, typ, from, to, r, legal, mask)
			checkMask(t, name, typ, from, to, r, legal, least|mask&most)
		}
	})
}

func FuzzCheckTransition(f *testing.F) {
	f.Add(uint8(2), uint8(1), uint8(2), uint32(0x121181))
	f.Add(uint8(4), uint8(5), uint8(3), uint32(3))
	f.Add(uint8(255), uint8(7), uint8(9), uint32(0))
	f.Fuzz(func(t *testing.T, typ, from, to uint8, mask uint32) {
		qt, a, b, m := verbs.QPType(typ), verbs.QPState(from), verbs.QPState(to), verbs.AttrMask(mask)
		tr, ok := verbs.FindTransition(qt, a, b)
		fits := ok && tr.Required&^m == 0 && m&^(tr.Required|tr.Optional|verbs.AttrState) == 0
		if err := verbs.CheckTransition(qt, a, b, m); (err == nil) != fits {
			t.Errorf("%v %v to %v with %v: %v", qt, a, b, m, err)
		}
	})
}

func TestTransitionErrorText(t *testing.T) {
	for _, c := range []struct {
		from, to verbs.QPState
		mask     verbs.AttrMask
		want     string
	}{
		{verbs.QPSReset, verbs.QPSRTR, verbs.AttrState, "a queue pair cannot go RESET→RTR"},
		{verbs.QPSErr, verbs.QPSRTS, verbs.AttrState, "a queue pair cannot go ERR→RTS"},
		{
			verbs.QPSReset, verbs.QPSInit, verbs.AttrState | verbs.AttrPort,
			"RESET→INIT needs IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX",
		},
		{verbs.QPSRTS, verbs.QPSRTS, verbs.AttrQKey | 1<<25, "RTS→RTS does not take IBV_QP_QKEY | 0x2000000"},
	} {
		err := verbs.CheckTransition(verbs.QPTRC, c.from, c.to, c.mask)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if s := verbs.Arrow(verbs.QPSInit, verbs.QPState(9)); s != "INIT→QPState(9)" {
		t.Errorf("an unknown state is shown as %q", s)
	}
}
