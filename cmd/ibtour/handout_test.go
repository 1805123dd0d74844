package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ibtour/annotations"
	"ibtour/steps"
)

// freePort returns a TCP port that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// makeHandout writes a handout of a run on soft0 and returns it.
func makeHandout(t *testing.T, name string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	args = append([]string{"handout", "-d", "soft0", "-n", "5", "-p", freePort(t), "-o", file}, args...)
	if status, out, stderr := command(t, args...); status != exitOK || out != "" {
		t.Fatalf("%v: status %d, %q, %q", args, status, out, stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// forms are the documents that are to be looked at.
func forms(t *testing.T, look func(t *testing.T, text string, opts *steps.Options)) {
	t.Helper()
	for _, lang := range annotations.Languages() {
		for _, ext := range []string{".md", ".html"} {
			for _, events := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s%s,events=%v", lang, ext, events), func(t *testing.T) {
					opts := steps.DefaultOptions()
					opts.Walk, opts.Events = true, events
					args := []string{"--lang", lang}
					if events {
						args = append(args, "-e")
					}
					look(t, makeHandout(t, "run"+ext, args...), &opts)
				})
			}
		}
	}
}

var (
	idForm   = regexp.MustCompile(` id="([^"]+)"`)
	linkForm = regexp.MustCompile(`(?:\]\(|href=")#([^)"]+)[)"]`)
)

// TestHandoutStructure makes sure that every stop of the run is told of once,
// and that all links lead somewhere in the document.
func TestHandoutStructure(t *testing.T) {
	forms(t, func(t *testing.T, text string, opts *steps.Options) {
		t.Helper()
		ids := map[string]int{}
		for _, m := range idForm.FindAllStringSubmatch(text, -1) {
			ids[m[1]]++
		}
		ends := []*steps.End{steps.NewEnd(steps.Server, opts, nil), steps.NewEnd(steps.Client, opts, nil)}
		stops := steps.RCPingPong.Stops(opts, ends)
		want := 0
		for i, s := range stops {
			want++
			if ids[fmt.Sprintf("stop-%d", i+1)] != 1 || ids["step-"+s.Step.ID] != 1 {
				t.Errorf("%s, stop %d, is told of %d times", s.Name(), i+1, ids[fmt.Sprintf("stop-%d", i+1)])
			}
		}
		if n := ids[fmt.Sprintf("stop-%d", want+1)]; n != 0 {
			t.Errorf("there are more stops than %d", want)
		}
		for id, n := range ids {
			if n != 1 {
				t.Errorf("%d places have the name %s", n, id)
			}
		}
		links := linkForm.FindAllStringSubmatch(text, -1)
		for _, m := range links {
			if ids[m[1]] == 0 {
				t.Errorf("the link to #%s leads nowhere", m[1])
			}
		}
		if len(links) < 300 {
			t.Errorf("there are only %d links", len(links))
		}
	})
}

// TestHandoutValues makes sure that the values of the run are in the texts.
func TestHandoutValues(t *testing.T) {
	qp := regexp.MustCompile(`qp \{qp_num (0x[0-9a-f]{6})\}`)
	placeholder := regexp.MustCompile(`\{\{[a-z0-9_.]+\}\}`)
	forms(t, func(t *testing.T, text string, _ *steps.Options) {
		t.Helper()
		for _, bad := range []string{"](term:", "](step:", "](concept:", "%!"} {
			if i := strings.Index(text, bad); i >= 0 {
				t.Errorf("%q is left: %.60q", bad, text[i:])
			}
		}
		if left := placeholder.FindString(text); left != "" {
			t.Errorf("%s is not filled in", left)
		}
		numbers := qp.FindAllStringSubmatch(text, -1)
		if len(numbers) != 2 {
			t.Fatalf("%d queue pairs were made, want 2", len(numbers))
		}
		for _, m := range numbers {
			if n := strings.Count(text, m[1]); n < 20 {
				t.Errorf("queue pair %s is named only %d times", m[1], n)
			}
		}
		for _, word := range []string{"SEND_LAST", "ACKNOWLEDGE", "ibv_modify_qp(", "IBV_WC_RECV", "regMR(", "p99.9", "Mbit/s"} {
			if !strings.Contains(text, word) {
				t.Errorf("there is no %s", word)
			}
		}
	})
}

// TestHandoutHTML makes sure that a browser finds every element closed, and
// needs nothing from elsewhere.
func TestHandoutHTML(t *testing.T) {
	for _, lang := range annotations.Languages() {
		text := makeHandout(t, "run.html", "--lang", lang)
		for _, bad := range []string{"<script", "<link", "src=", "url(", "@import", "http://", "https://"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the page has %s", lang, bad)
			}
		}
		if n := strings.Count(text, "<svg"); n != 6 {
			t.Errorf("%s: %d drawings of a queue pair, want 6", lang, n)
		}
		var open []string
		z := html.NewTokenizer(strings.NewReader(text))
		for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
			name, _ := z.TagName()
			tag := string(name)
			switch {
			case kind == html.StartTagToken && tag != "meta":
				open = append(open, tag)
			case kind == html.EndTagToken:
				if len(open) == 0 || open[len(open)-1] != tag {
					t.Fatalf("%s: </%s> closes %v", lang, tag, open)
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: %v are not closed", lang, open)
		}
	}
}

func TestHandoutToStandardOutput(t *testing.T) {
	status, out, _ := command(t, "handout", "-d", "soft0", "-n", "2", "-p", freePort(t), "--lang", "zh")
	if status != exitOK || !strings.HasPrefix(out, "# 逐步看 ibv_rc_pingpong") {
		t.Errorf("status %d, %.200s", status, out)
	}
	for _, english := range []string{"nothing to refill", "listening on"} {
		if strings.Contains(out, english) {
			t.Errorf("a notice is in English: %q", english)
		}
	}
}
