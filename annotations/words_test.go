package annotations

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// variants are spellings that a text must not have, with the one to use. A
// reader who meets two words looks for two things.
var variants = map[string]map[string]string{
	English: {
		"Infiniband": "InfiniBand", "infiniband ": "InfiniBand", "RoCEv1": "RoCE v1", "RoCEv2": "RoCE v2",
		"SoftRoCE": "Soft-RoCE", "soft-RoCE": "Soft-RoCE", "L_Key": "lkey", "R_Key": "rkey", "LKey": "lkey", "RKey": "rkey",
		"queue-pair": "queue pair", "Queue Pair": "queue pair", "protection-domain": "protection domain",
		"completion-queue": "completion queue", "work-request": "work request", "workrequest": "work request",
		"userspace": "user space", "kernelspace": "kernel space",
		"out of band channel": "out-of-band channel", "acknowledgment": "acknowledgement",
		"roundtrip": "round trip", "round-trip time": "round trip", "Ack ": "ACK", "Nak ": "NAK",
		"ibverbs library": "libibverbs", "synchronise": "synchronize",
	},
	Chinese: {
		"保护区域": "保护域", "防护域": "保护域", "存储区域": "内存区域", "记忆体": "内存", "内存区块": "内存区域",
		"队列偶": "队列对", "队列组": "队列对", "成对队列": "队列对", "对列": "队列", "完成序列": "完成队列",
		"接受队列": "接收队列", "工作要求": "工作请求", "完成通知事件": "完成事件", "轮巡": "轮询", "轮训": "轮询",
		"讯息": "消息", "封包": "数据包", "报文": "数据包", "资料": "数据", "伺服器": "服务器", "服务端": "服务器",
		"用户端": "客户端", "网路": "网络", "缓存区": "缓冲区", "快取": "缓存", "位元组": "字节", "乒乓球": "乒乓",
		"对等端": "对端", "远端节点": "对端", "核心空间": "内核", "使用者空间": "用户空间", "子网络管理器": "子网管理器",
		"远程密钥": "远端密钥", "Infiniband": "InfiniBand", "RoCEv1": "RoCE v1", "RoCEv2": "RoCE v2",
		"软RoCE": "Soft-RoCE", "硬体": "硬件", "预设": "默认", "缺省": "默认", "缓冲器": "缓冲区", "网卡": "适配器",
		"提交接收": "投递接收", "下发": "投递", "重发次数": "重试次数", "旁路内核": "内核旁路",
	},
}

// allowed are places where a variant is meant.
var allowed = []string{"队列对列表", "/sys/class/infiniband", "另一块网卡", "普通网卡"}

// TestWords finds banned variants.
func TestWords(t *testing.T) {
	for _, lang := range Languages() {
		for name, text := range filesOf(t, lang) {
			for _, a := range allowed {
				text = strings.ReplaceAll(text, a, "")
			}
			text = RewriteLinks(text, func(l Link) string { return l.Text })
			for bad, good := range variants[lang] {
				if at := strings.Index(text, bad); at >= 0 {
					t.Errorf("annotations/%s/%s, line %d: write %q, not %q", lang, name, lineOf(text, at), good, bad)
				}
			}
		}
	}
}

func lineOf(text string, at int) int { return strings.Count(text[:at], "\n") + 1 }

// typography are faults of form, with what to do.
var typography = map[string][]struct {
	fault *regexp.Regexp
	do    string
}{
	English: {
		{regexp.MustCompile(`\p{Han}`), "write English here"},
		{regexp.MustCompile(`[^\S\n]+\n`), "remove the blanks at the end of the line"},
		{regexp.MustCompile(`\*\*[^*\n]+:\*\*`), "put the colon behind the bold text: **word**:"},
	},
	Chinese: {
		{regexp.MustCompile(`\*\*[^*\n]*[：，。；]\*\*`), "put the punctuation behind the bold text, or it is not drawn bold: **注意**："},
		{regexp.MustCompile(`\p{Han}[,;:?!]|[,;?!]\p{Han}`), "use full-width punctuation between Chinese characters"},
		{regexp.MustCompile(`\p{Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Han}`), "write a blank between Chinese characters and Latin letters or digits"},
		{regexp.MustCompile("\\p{Han}`|`\\p{Han}"), "write a blank between Chinese characters and code"},
		{regexp.MustCompile(`[，。；：、？！（] | [，。；：、？！（）]`), "no blank beside full-width punctuation"},
		{regexp.MustCompile(`[^\S\n]+\n`), "remove the blanks at the end of the line"},
	},
}

// TestForm finds faults of form, and paragraphs over several lines: a line
// break inside a Chinese paragraph would become a blank.
func TestForm(t *testing.T) {
	for _, lang := range Languages() {
		for name, text := range filesOf(t, lang) {
			_, text, _ = splitFrontMatter(text)
			original := text
			text = withoutCode(text)
			for _, f := range typography[lang] {
				if at := f.fault.FindStringIndex(text); at != nil {
					t.Errorf("annotations/%s/%s: near %q: %s", lang, name, around(text, at[0]), f.do)
				}
			}
			for _, block := range codeBlocks(original) {
				if n := widest(block); n > codeCells {
					t.Errorf("annotations/%s/%s: a code block is %d cells wide: draw it in %d, or a narrow pane breaks it", lang, name, n, codeCells)
				}
			}
			lines := strings.Split(text, "\n")
			for i := 1; i < len(lines); i++ {
				if isText(lines[i-1]) && isText(lines[i]) {
					t.Errorf("annotations/%s/%s: %q continues the line before: write a paragraph on one line", lang, name, excerpt(lines[i]))
				}
			}
		}
	}
}

// withoutCode empties the code blocks, and replaces links by their text.
func withoutCode(text string) string {
	parts := strings.Split(text, "```")
	for i := range parts {
		if i%2 == 1 {
			parts[i] = ""
		}
	}
	return RewriteLinks(strings.Join(parts, "```"), func(l Link) string { return l.Text })
}

// codeCells is how wide a code block may be.
const codeCells = 60

func codeBlocks(text string) []string {
	var blocks []string
	for i, part := range strings.Split(text, "```") {
		if i%2 == 1 {
			blocks = append(blocks, part)
		}
	}
	return blocks
}

func widest(block string) int {
	n := 0
	for line := range strings.SplitSeq(block, "\n") {
		n = max(n, ansi.StringWidth(line))
	}
	return n
}

// isText reports whether a line belongs to a paragraph.
func isText(line string) bool {
	return line != "" && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "#") &&
		!strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "1. ") && !regexp.MustCompile(`^\d+\. `).MatchString(line)
}

func around(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	before := []rune(text[len(text)-len(line) : at])
	after := []rune(text[at:])
	return string(before[max(0, len(before)-8):]) + string(after[:min(8, len(after))])
}
