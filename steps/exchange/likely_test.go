package exchange

import (
	"strings"
	"testing"
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

// Every guess but Unknown has a text and a key, every phase a text.
func TestTexts(t *testing.T) {
	for l := Unknown + 1; !strings.HasPrefix(l.String(), "Likely("); l++ {
		if l.Text() == "" {
			t.Errorf("%v has no text", l)
		}
	}
	if Unknown.Text() != "" || len(likelyText) != int(XSRQPingpong) {
		t.Errorf("%d texts", len(likelyText))
	}
	for p := Resolving; p <= ReadingDone; p++ {
		if p.Text() == "" {
			t.Errorf("%v has no text", p)
		}
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
