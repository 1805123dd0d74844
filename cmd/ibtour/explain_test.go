package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"ibtour/annotations"
)

// command runs a command line and returns its exit status and what it wrote.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(t.Context(), args, strings.NewReader(""), &out, &err)
	return status, out.String(), err.String()
}

func TestExplainFinds(t *testing.T) {
	for _, c := range []struct {
		topic    string // words
		lang     string
		contains string
	}{
		{"ibv_reg_mr", "en", "# Register the memory\n"},
		{"qp_rtr", "zh", "# 队列对：INIT 到 RTR\n"},
		{"EINVAL", "en", "│ EINVAL (22): an argument is wrong"},
		{"12", "en", "│ IBV_WC_RETRY_EXC_ERR (12)"},
		{"Failed status transport retry counter exceeded (12) for wr_id 2", "zh", "RETRY_EXC_ERR (12)"},
		{"Failed to modify QP to RTR", "en", "# GIDs and how one is chosen\n"},
		{"保护域", "en", "# protection domain, PD\n"},
		{"protection domain", "zh", "# 保护域, PD\n"},
		{"Flow control in this program", "en", "# Flow control in this program\n"},
		{"mtu", "en", "# MTU\n"},
		{"term:mtu", "en", "# path MTU, MTU\n"},
		{"ibv_post_recv", "en", "# Post the receives\n"},
		{"qp_rtr", "en", "‹peer.qpn›"},
		{"ibv_modify_qp(3)", "en", "# Queue pair: RESET to INIT\n"},
		{"parse WC failed 1", "en", `this one has "parse WC failed".`},
		{"Couldn't register MR", "zh", "# 内存区域, MR\n"},
	} {
		args := append([]string{"explain", "--lang", c.lang}, strings.Fields(c.topic)...)
		status, out, stderr := command(t, args...)
		if status != exitOK || stderr != "" || !strings.Contains(out, c.contains) {
			t.Errorf("%q: status %d, stderr %q, no %q in:\n%s", args, status, stderr, c.contains, out)
		}
		if strings.Contains(out, "{{") || strings.Contains(out, "](") || strings.ContainsRune(out, '\x1b') {
			t.Errorf("%q is not plain text:\n%s", args, out)
		}
	}
}

func TestExplainNamesOtherPlaces(t *testing.T) {
	_, out, _ := command(t, "explain", "ENOMEM")
	_, also, _ := strings.Cut(out, "Also on this topic")
	for _, id := range []string{"create_cq", "reg_mr"} {
		if !strings.Contains(also, "\n  "+id+" ") {
			t.Errorf("%s is not listed: %q", id, also)
		}
	}
}

func TestExplainNothing(t *testing.T) {
	for _, c := range []struct{ topic, want string }{
		{"regmr", "reg_mr"},
		{"quue pair", "queue pair"},
		{"ENOMEN", "ibtour explain lists all topics"},
	} {
		status, out, stderr := command(t, "explain", "--lang", "en", c.topic)
		if status != exitUsage || out != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%q: status %d, %q, %q", c.topic, status, out, stderr)
		}
	}
	for _, args := range [][]string{{"--lang", "fr"}, {"--width", "5"}} {
		if status, _, stderr := command(t, append([]string{"explain"}, args...)...); status != exitUsage {
			t.Errorf("%v: status %d, %s", args, status, stderr)
		}
	}
}

// TestExplainWidth makes sure that whatever is shown fits the terminal, and
// that no line of Chinese begins as none may.
func TestExplainWidth(t *testing.T) {
	for _, lang := range annotations.Languages() {
		for _, width := range []int{30, 80, 120} {
			_, list, _ := command(t, "explain", "--lang", lang, "--width", fmt.Sprint(width))
			checkText(t, "the list", list, width)
			for _, topic := range []string{"EINVAL", "12", "qp", "qp-states", "exchange", "reg_mr", "psn"} {
				_, page, _ := command(t, "explain", "--lang", lang, "--width", fmt.Sprint(width), topic)
				if width >= usualWidth { // drawings need that much
					checkText(t, topic, page, width)
				}
			}
		}
	}
}

func checkText(t *testing.T, what, text string, width int) {
	t.Helper()
	if text == "" {
		t.Errorf("%s is empty", what)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("%s at %d has a line of %d: %q", what, width, w, line)
		}
		if s := strings.TrimSpace(line); s != "" && strings.Contains("，。、；：？！）》”…", string([]rune(s)[0])) {
			t.Errorf("%s at %d begins a line with closing punctuation: %q", what, width, line)
		}
	}
}

// TestExplainListsAll makes sure that every page is in the list, and that what
// a list names is shown when it is asked for.
func TestExplainListsAll(t *testing.T) {
	for _, lang := range annotations.Languages() {
		book, err := annotations.Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		e := explain{book: book, text: explainTexts[lang], width: 80, screen: 80, profile: termenv.Ascii}
		list := e.list()
		topics := e.stepEntries()
		for _, p := range book.Concepts() {
			topics = append(topics, e.entry(p))
		}
		for _, term := range book.Glossary() {
			p, _ := book.Open(annotations.TermEntry, term.ID)
			topics = append(topics, e.entry(p))
		}
		for _, topic := range topics {
			if !strings.Contains(list, "  "+topic.name) {
				t.Errorf("%s: %s is not in the list", lang, topic.name)
			}
			if hits := e.find(topic.name); len(hits) == 0 || hits[0].Title != topic.title {
				t.Errorf("%s: %s does not show %q", lang, topic.name, topic.title)
			}
		}
	}
}

func TestExplainPlainOnDumbTerminal(t *testing.T) {
	if p := profileOf(&bytes.Buffer{}); p != termenv.Ascii {
		t.Errorf("a buffer is given the colours %v", p)
	}
}
