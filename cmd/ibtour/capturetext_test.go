package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// What is known of a capture is told once by every reader, and what it did not
// show at the end.
func TestCaptureTold(t *testing.T) {
	on := trace.Capture{State: trace.CaptureOpen, Device: "rxe0", Driver: "rxe", On: "v0"}
	end := on
	end.Others, end.Dropped, end.Paused = 12, 3, true
	for lang, want := range map[string][]string{
		"en": {
			"the packets are captured on v0", "on v0: 12 packets of other QPs, not shown; 3 dropped by the capture",
			"at full speed the rest is not captured",
		},
		"zh": {"数据包在 v0 上抓取", "v0 上另有 12 个属于其他 QP 的数据包，不显示；抓包丢失 3 个", "全速运行时其余的不抓"},
	} {
		var auto, walk, doc bytes.Buffer
		readers := []reporter{
			newAutoText(&app{lang: lang, out: &auto, err: &auto}, false),
			newWalkText(&app{lang: lang, out: &walk}, 1, nil, func(error) {}),
			newAutoJSON(&doc, &steps.Options{}),
		}
		for _, r := range readers {
			for _, c := range []trace.Capture{on, end} {
				r.event(steps.Event{Kind: steps.Captured, Stop: -1, Detail: c})
			}
			r.event(steps.Event{Kind: steps.RunDone, Stop: -1})
			if err := r.close(nil); err != nil {
				t.Error(err)
			}
		}
		for i, text := range want {
			if n := strings.Count(walk.String(), text); n != 1 {
				t.Errorf("walk says %q %d times:\n%s", text, n, walk.String())
			}
			if n := strings.Count(auto.String(), text); i < 2 && n != 1 {
				t.Errorf("auto says %q %d times:\n%s", text, n, auto.String())
			}
		}
		var got struct{ Capture *trace.Capture }
		if err := json.Unmarshal(doc.Bytes(), &got); err != nil || got.Capture == nil || *got.Capture != end {
			t.Errorf("auto --json says %+v, %v", got.Capture, err)
		}
	}
}

// Each reason has its words, in both languages.
func TestCaptureReasons(t *testing.T) {
	base := trace.Capture{Device: "dev7", Driver: "drv", On: "v0", Error: "bind: no such device"}
	for state, want := range map[trace.CaptureState]string{
		trace.CaptureAdapter: "drv", trace.CaptureLoopback: "dev7",
		trace.CaptureRefused: "sudo setcap cap_net_raw+ep /", trace.CaptureFailed: "bind: no such device",
	} {
		c := base
		c.State = state
		en, zh := english.captureText(c), chinese.captureText(c)
		for _, text := range []string{en, zh} {
			if !strings.Contains(text, want) || !strings.Contains(text, "dev7") || strings.Contains(text, "%!") {
				t.Errorf("%s: %q does not name %q", state, text, want)
			}
		}
		if en == zh {
			t.Errorf("%s is not translated: %q", state, en)
		}
	}
	if text := english.captureText(trace.Capture{}); text != "" {
		t.Errorf("what is not settled: %q", text)
	}
}
