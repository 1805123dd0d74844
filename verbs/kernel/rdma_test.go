package kernel

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ibtour/verbs"
)

// rdmaText writes a record as rdma(8) does ("rdma -d resource show KIND"), one
// sorted line for each object, so that the two can be compared.
func rdmaText(r Resources) string {
	var all []string
	add := func(o Owner, format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if o.TID != 0 {
			line += fmt.Sprintf(" pid %d", o.TID)
		}
		if o.ByKernel() {
			line += fmt.Sprintf(" comm [%s]", o.Kernel)
		}
		all = append(all, strings.Join(strings.Fields(line), " "))
	}
	for _, c := range r.Contexts {
		add(c.Owner, "dev %s ctxn %d", r.Device, c.CtxN)
	}
	for _, p := range r.PDs {
		add(p.Owner, "dev %s pdn %d %s users %d %s", r.Device, p.PDN,
			opt("local_dma_lkey 0x%x", p.LocalDMALKey), p.Users, opt("ctxn %d", p.CtxN))
	}
	for _, m := range r.MRs {
		add(m.Owner, "dev %s mrn %d %s %s mrlen %d %s", r.Device, m.MRN,
			opt("rkey 0x%x", m.RKey), opt("lkey 0x%x", m.LKey), m.Len, opt("pdn %d", m.PDN))
	}
	for _, c := range r.CQs {
		add(c.Owner, "dev %s cqn %d cqe %d users %d %s adaptive-moderation %s %s", r.Device, c.CQN, c.CQE, c.Users,
			opt("poll-ctx %s", c.Poll), map[bool]string{false: "off", true: "on"}[*c.Moderation], opt("ctxn %d", c.CtxN))
	}
	for _, q := range r.QPs {
		add(q.Owner, "link %s/%d lqpn %d %s type %s state %s %s %s %s %s", r.Device, q.Port, uint32(q.LQPN),
			opt("rqpn %d", q.RQPN), rdmaType(q.Type), strings.TrimPrefix(q.State.String(), "IBV_QPS_"),
			opt("rq-psn %d", q.RQPSN), opt("sq-psn %d", q.SQPSN), migText(q.PathMig), opt("pdn %d", q.PDN))
	}
	for _, s := range r.SRQs {
		add(s.Owner, "dev %s srqn %d type %v %s %s", r.Device, s.SRQN, s.Type, rdmaRanges(s.QPs), opt("pdn %d", s.PDN))
	}
	for _, c := range r.CMIDs {
		// The addresses come behind the process here.
		add(Owner{}, "link %s/%d cm-idn %d state %v ps %v pid %d src-addr %s dst-addr %s", r.Device, c.Port,
			c.CMIDN, c.State, c.Space, c.TID, noBrackets(c.Source.String()), noBrackets(c.Destination.String()))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

var (
	commPattern  = regexp.MustCompile(` comm [^\[ ]+`)
	movingNumber = regexp.MustCompile(`(state RTS rq-psn) \d+ sq-psn \d+`)
)

// comparableText drops what is not the kernel's (the name of the program) and what
// moves between two readings.
func comparableText(text string) string {
	lines := slices.Collect(strings.Lines(text))
	for i, line := range lines {
		line = strings.Join(strings.Fields(line), " ")
		lines[i] = movingNumber.ReplaceAllString(commPattern.ReplaceAllString(line, ""), "$1 N sq-psn N")
	}
	slices.SortFunc(lines, cmp.Compare)
	return strings.Join(lines, "\n")
}

func opt[T any](format string, value *T) string {
	if value == nil {
		return ""
	}
	switch v := any(*value).(type) {
	case verbs.QPN:
		return fmt.Sprintf(format, uint32(v))
	case verbs.PSN:
		return fmt.Sprintf(format, uint32(v))
	case verbs.LKey:
		return fmt.Sprintf(format, uint32(v))
	case verbs.RKey:
		return fmt.Sprintf(format, uint32(v))
	}
	return fmt.Sprintf(format, *value)
}

func rdmaType(t verbs.QPType) string {
	if t == QPTGSI {
		return "GSI"
	}
	return strings.TrimPrefix(t.String(), "IBV_QPT_")
}

func migText(m *verbs.MigState) string {
	if m == nil {
		return ""
	}
	return "path-mig-state " + strings.TrimPrefix(m.String(), "IBV_MIG_")
}

func rdmaRanges(all []QPRange) string {
	var parts []string
	for _, r := range all {
		part := fmt.Sprint(uint32(r.First))
		if r.Last != r.First {
			part += fmt.Sprintf("-%d", uint32(r.Last))
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return ""
	}
	return "lqpn " + strings.Join(parts, ",")
}

func noBrackets(s string) string { return strings.NewReplacer("[", "", "]", "").Replace(s) }
