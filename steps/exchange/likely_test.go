package exchange

import (
	"strings"
	"testing"

	"ibtour/annotations/words/wordstest"
)

func TestWhose(t *testing.T) {
	for in, want := range map[string]Likely{
		"GET / HTTP/1.1\r\nHost: a\r\n":                            HTTP,
		"PRI * HTTP/2.0\r\n\r\n":                                   HTTP,
		"HTTP/1.1 400 Bad Request\r\n":                             HTTP,
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03":             TLS,
		"SSH-2.0-OpenSSH_9.2p1\r\n":                                SSH,
		"6.06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00":     Perftest,
		"0000:0010:000012:abc123:00001234:00007f":                  Perftest,
		"0000:000011:000012:abc123:000003:0000000000000000":        XSRQPingpong,
		"220 mail.example.org ESMTP\r\n":                           OtherProgram,
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00": OtherProgram,
		"": OtherProgram,
	} {
		if got := whose([]byte(in)); got != want {
			t.Errorf("%q: %v, want %v", in, got, want)
		}
		if _, err := ParseAddress([]byte(in)); in != "" && err == nil {
			t.Errorf("%q is an address", in)
		}
	}
}

// Every guess but Unknown has a text and a key, every phase and reason a text,
// in both languages.
func TestTexts(t *testing.T) {
	wordstest.Compare(t, english, chinese)
	wordstest.Used(t, english)
	for l := Unknown + 1; !strings.HasPrefix(l.String(), "Likely("); l++ {
		if l.Text("en") == "" {
			t.Errorf("%v has no text", l)
		}
	}
	if Unknown.Text("en") != "" || len(english.likely) != int(XSRQPingpong) {
		t.Errorf("%d texts", len(english.likely))
	}
	for p := Resolving; p <= ReadingDone; p++ {
		if english.phases[p] == "" {
			t.Errorf("%v has no text", p)
		}
	}
	if len(english.reasons) != int(ErrReserved) {
		t.Errorf("%d reasons", len(english.reasons))
	}
}

func TestExcerpt(t *testing.T) {
	if got := Excerpt([]byte("a\x00\xff")); got != `"a\x00\xff"` {
		t.Error(got)
	}
	if got := Excerpt([]byte(strings.Repeat("x", 61))); !strings.HasSuffix(got, `x"… (61 bytes)`) {
		t.Error(got)
	}
}

// An error is in the language of the Config that it comes from.
func TestErrorInChinese(t *testing.T) {
	zh := Config{Lang: "zh"}
	_, err := zh.Dial(t.Context(), "", 1)
	if want := "查找：empty host name；没有这台主机：检查拼写，或直接给出 IP 地址"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = zh.Dial(t.Context(), "h", 0)
	if want := "TCP 端口 0 不存在：应为 1 到 65535"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	got := (&PeerError{
		Phase: ReadingAddress, Peer: "192.0.2.1:18515", Got: []byte("00"), Want: RecordLen, Waited: 60e9,
		Err: ErrSilent, Likely: PeerStuck, lang: "zh",
	}).Error()
	if want := `读取 192.0.2.1:18515 的地址：没有再收到数据，已等待 1m0s，收到 2 字节，应为 52 字节（"00"）；` + chinese.likely[PeerStuck]; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
