package steps_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"ibtour/steps"
	"ibtour/verbs/softroce"
)

// A run started in Chinese tells its titles, notices and errors in Chinese.
func TestRunInChinese(t *testing.T) {
	o := options()
	o.Lang, o.MTU = "zh", 4096
	events, err := run(t, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	for _, ev := range events {
		if ev.Kind == steps.StepStarted && !strings.ContainsFunc(ev.Title, han) {
			t.Errorf("the title of %s is %q", ev.Step, ev.Title)
		}
		if ev.Kind != steps.Noticed {
			continue
		}
		notes = append(notes, ev.Text)
		if !strings.ContainsFunc(ev.Text, han) {
			t.Errorf("%s says %q", ev.Step, ev.Text)
		}
	}
	for _, want := range []string{"正在监听 TCP 端口", "使用 GID", "不必补充：还有 2 个接收已投递"} {
		if !slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("no notice says %q: %q", want, notes)
		}
	}
}

func han(r rune) bool { return unicode.Is(unicode.Han, r) }

// What fails is told in Chinese; the names of C stay.
func TestErrorsInChinese(t *testing.T) {
	for want, change := range map[string]func(*steps.Options){
		"EINVAL (invalid argument); 要求的完成队列有": func(o *steps.Options) { o.RxDepth = 1 << 20 },
		"ibv_modify_qp QP": func(o *steps.Options) { o.IBPort = 2 },
		"现有的设备：soft0":      func(o *steps.Options) { o.Device = "soft9" },
	} {
		o := options()
		o.Lang = "zh"
		change(o)
		if _, err := run(t, o, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.ContainsFunc(err.Error(), han) {
			t.Errorf("error %v, want %q and Chinese", err, want)
		}
	}
	o := steps.Options{Device: softroce.DefaultName, Lang: "zh"}
	if err := o.Validate(); err == nil || err.Error() != "-i/--ib-port 0 不在 1..255 之内：端口从 1 开始编号" {
		t.Error(err)
	}
}
