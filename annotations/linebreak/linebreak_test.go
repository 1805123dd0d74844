package linebreak_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ibtour/annotations/linebreak"
)

func ExampleLines() {
	for _, l := range linebreak.Lines("• 内存区域属于保护域，队列对也是", 20) {
		fmt.Println(l)
	}
	// Output:
	// • 内存区域属于保护
	//   域，队列对也是
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one", 10, []string{"one"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"one  two", 3, []string{"one", "two"}},
		{"one two   ", 7, []string{"one two"}},
		{"  • one two three", 11, []string{"  • one two", "    three"}},
		{"12. one two", 8, []string{"12. one", "    two"}},
		{"123. one two", 8, []string{"123. one", "two"}},
		{"│ one two three", 9, []string{"│ one two", "│ three"}},
		{"      • one", 8, []string{"      •", "one"}},
		{"内存区域属于保护域", 8, []string{"内存区域", "属于保护", "域"}},
		{"一二三四。五", 8, []string{"一二三", "四。五"}},
		{"保护域，队列", 6, []string{"保护", "域，队", "列"}},
		{"一二（三四", 6, []string{"一二", "（三四"}},
		{"保护（域）队列", 6, []string{"保护", "（域）", "队列"}},
		{"队列对 QP 就是", 9, []string{"队列对 QP", "就是"}},
		{"完成，wr_id", 8, []string{"完成，", "wr_id"}},
		{"sys/class/infiniband", 12, []string{"sys/class/", "infiniband"}},
		{"to ::1 by", 5, []string{"to", "::1", "by"}},
		{"端口:1", 4, []string{"端", "口:1"}},
		{"a · b · c", 5, []string{"a ·", "b · c"}},
		{"\x1b[1mone two\x1b[0m", 4, []string{"\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[0m"}},
		{"\x1b[1mone two\x1b[0m three", 5, []string{"\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[0m", "three"}},
		{"\x1b[4m一二\x1b[m三四", 4, []string{"\x1b[4m一二\x1b[0m", "三四"}},
		{"unbreakable", 4, []string{"unbr", "eaka", "ble"}},
		{"宽", 1, []string{"宽"}},
	} {
		if got := linebreak.Lines(c.line, c.width); !slices.Equal(got, c.want) {
			t.Errorf("Lines(%q, %d) = %q, want %q", c.line, c.width, got, c.want)
		}
	}
}

func TestHanging(t *testing.T) {
	for _, c := range []struct {
		line        string
		width, hang int
		want        []string
	}{
		{"one two three", 8, 2, []string{"one two", "  three"}},
		{"one two three", 8, 9, []string{"one two", "    thre", "    e"}},
		{"\x1b[1mlkey\x1b[0m 0x1 rkey 0x2", 8, 2, []string{"\x1b[1mlkey\x1b[0m 0x1", "  rkey", "  0x2"}},
		{"内存：已注册", 6, 2, []string{"内存：", "  已注", "  册"}},
	} {
		if got := linebreak.Hanging(c.line, c.width, c.hang); !slices.Equal(got, c.want) {
			t.Errorf("Hanging(%q, %d, %d) = %q, want %q", c.line, c.width, c.hang, got, c.want)
		}
	}
}

func TestIndent(t *testing.T) {
	for line, want := range map[string]int{
		"one": 0, "  one": 2, "• one": 2, "  \x1b[1m12. one": 6, "│ - one": 4, "3.5 ms": 0, "-c": 0, "": 0,
	} {
		if got := linebreak.Indent(line); got != want {
			t.Errorf("Indent(%q) = %d, want %d", line, got, want)
		}
	}
}

// FuzzLines: no line is wider than asked, unless a single character is, and
// nothing is lost but blanks and what takes no room.
func FuzzLines(f *testing.F) {
	f.Add("队列对 QP 就是（两个）队列，以及它们的状态。", 9)
	f.Add("• one two/three", 5)
	f.Fuzz(func(t *testing.T, line string, width int) {
		if width < 2 || width > 200 || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) {
			return
		}
		var shown strings.Builder
		for rest := line; rest != ""; {
			seq, w, n, _ := ansi.DecodeSequence(rest, 0, nil)
			if rest = rest[n:]; w > 0 {
				shown.WriteString(seq)
			}
		}
		all := linebreak.Lines(line, width)
		for _, l := range all {
			if n := ansi.StringWidth(l); n > width {
				t.Errorf("%q has %d cells of %d", l, n, width)
			}
		}
		squash := strings.NewReplacer(" ", "", "│", "").Replace
		if got, want := squash(strings.Join(all, "")), squash(shown.String()); got != want {
			t.Errorf("Lines(%q, %d) keeps %q, want %q", line, width, got, want)
		}
	})
}
