package annotations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs"
)

// rcStatuses are the outcomes that a SEND or a receive on a reliable
// connection can have, with the names the program has for them. The others
// belong to services and operations that this tour does not use.
var rcStatuses = map[string]verbs.WCStatus{
	"WCLocLenErr": verbs.WCLocLenErr, "WCLocQPOpErr": verbs.WCLocQPOpErr, "WCLocProtErr": verbs.WCLocProtErr,
	"WCWRFlushErr": verbs.WCWRFlushErr, "WCBadRespErr": verbs.WCBadRespErr, "WCRemInvReqErr": verbs.WCRemInvReqErr,
	"WCRemAccessErr": verbs.WCRemAccessErr, "WCRemOpErr": verbs.WCRemOpErr, "WCRetryExcErr": verbs.WCRetryExcErr,
	"WCRNRRetryExcErr": verbs.WCRNRRetryExcErr, "WCFatalErr": verbs.WCFatalErr, "WCGeneralErr": verbs.WCGeneralErr,
}

// systemErrnos are what the system calls of a step can return: the packages
// steps and exchange do not list them by errno.
var systemErrnos = map[string][]string{
	"alloc_buffer": {"ENOMEM"},
	"free_buffer":  {"EINVAL"},
	"listen":       {"EADDRINUSE", "EACCES"},
	"connect":      {"ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"},
	"accept":       {"EMFILE"},
	"send_address": {"EPIPE", "ECONNRESET", "ETIMEDOUT"},
	"recv_address": {"ECONNRESET"},
	"send_done":    {"EPIPE", "ECONNRESET"},
	"recv_done":    {"ECONNRESET"},
}

// notHere are errnos that a verb can return, and not where these steps call it:
// only the move to RTR resolves the peer's address.
var notHere = map[string][]string{
	"qp_init": {"ETIMEDOUT"},
	"qp_rts":  {"ETIMEDOUT"},
}

// otherStatuses are what soft0 gives for operations that the tour does not use.
var otherStatuses = map[string]string{
	"WCLocAccessErr": "RDMA WRITE with immediate data",
}

// TestErrorsExplained makes sure that "what can go wrong" leaves nothing out.
func TestErrorsExplained(t *testing.T) {
	prog := parseProgram(t)
	for _, lang := range Languages() {
		b := mustLoad(t, lang)
		for i := range steps.RCPingPong.Steps {
			s := &steps.RCPingPong.Steps[i]
			p, ok := b.Step(s.ID)
			if !ok {
				continue // TestIDs says so
			}
			explained := headsOf(p)
			r := prog.returnsOf(s)
			for _, e := range append(r.errnos, systemErrnos[s.ID]...) {
				if !slices.Contains(explained, e) && !slices.Contains(notHere[s.ID], e) {
					t.Errorf("%s/%s.md: the step can return %s: explain it under %q, in an item that begins - **%s (%s)**",
						lang, s.ID, e, titleOf(lang, "wrong"), e, errnoNumbers()[e])
				}
			}
			if slices.Contains(r.calls, "CQ.Poll") || slices.Contains(r.calls, "QP.NewBatch") {
				checkStatuses(t, lang+"/"+s.ID+".md", explained)
			}
		}
	}
}

func checkStatuses(t *testing.T, file string, explained []string) {
	t.Helper()
	for _, s := range rcStatuses {
		if !slices.Contains(explained, s.String()) {
			t.Errorf("%s: work of the step can complete with %v: explain it in an item that begins - **%v (%d)**", file, s, s, s)
		}
	}
}

// TestStatusesOfDevice makes sure that rcStatuses keeps up with soft0.
func TestStatusesOfDevice(t *testing.T) {
	for name := range statusesInSource(t) {
		if _, ok := rcStatuses[name]; !ok && otherStatuses[name] == "" {
			t.Errorf("soft0 gives verbs.%s: add it to rcStatuses in errors_test.go, and then to the pages the test names", name)
		}
	}
}

// TestReferencePages makes sure that the two reference pages are complete: all
// completion statuses, and all errnos that any step explains.
func TestReferencePages(t *testing.T) {
	for _, lang := range Languages() {
		b := mustLoad(t, lang)
		statuses, _ := b.Concept("completion-statuses")
		explained := headsOf(statuses)
		for s := verbs.WCSuccess; s <= verbs.WCTMRndvIncomplete; s++ {
			if !slices.Contains(explained, s.String()) {
				t.Errorf("%s/concepts/completion-statuses.md: explain %v (%d)", lang, s, s)
			}
			if !strings.Contains(statuses.Markdown(), s.Text()) {
				t.Errorf("%s/concepts/completion-statuses.md: quote the text of %v, %q: learners search for it", lang, s, s.Text())
			}
		}
		errnos, _ := b.Concept("errnos")
		explained = headsOf(errnos)
		for _, id := range b.StepIDs() {
			p, _ := b.Step(id)
			for _, e := range headsOf(p) {
				if strings.HasPrefix(e, "E") && !slices.Contains(explained, e) {
					t.Errorf("%s/concepts/errnos.md: step %s explains %s: add it here", lang, id, e)
				}
			}
		}
	}
}

var (
	headName   = regexp.MustCompile(`(IBV_WC_[A-Z_]+|E[A-Z0-9]{2,}) \((\d+)\)`)
	headNoNum  = regexp.MustCompile(`\b(IBV_WC_[A-Z_]+|E[A-Z0-9]{3,})\b`)
	numberless = "write each errno and status with its number, as **EINVAL (22)**"
)

// headsOf returns the errnos and statuses that a page has items for.
func headsOf(p Page) []string {
	var names []string
	for _, s := range p.Sections {
		for _, m := range itemHead.FindAllStringSubmatch(s.Markdown, -1) {
			for _, n := range headName.FindAllStringSubmatch(m[1], -1) {
				names = append(names, n[1])
			}
		}
	}
	return names
}

// TestNumbers makes sure that the numbers beside errnos and statuses are right.
func TestNumbers(t *testing.T) {
	want := errnoNumbers()
	for s := verbs.WCSuccess; s <= verbs.WCTMRndvIncomplete; s++ {
		want[s.String()] = fmt.Sprint(uint32(s))
	}
	for _, lang := range Languages() {
		for _, p := range mustLoad(t, lang).allPages() {
			for _, s := range p.Sections {
				for _, m := range itemHead.FindAllStringSubmatch(s.Markdown, -1) {
					names := headName.FindAllStringSubmatch(m[1], -1)
					if len(names) != len(headNoNum.FindAllString(m[1], -1)) {
						t.Errorf("%s, %s: item %q: %s", lang, p.ID, m[1], numberless)
					}
					for _, n := range names {
						if want[n[1]] != n[2] {
							t.Errorf("%s, %s: %s is %s, not %s: correct the number", lang, p.ID, n[1], want[n[1]], n[2])
						}
					}
				}
			}
		}
	}
}
