//go:build lab

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/kernel"
	"ibtour/verbs/verbstest"
)

// What strace(1) shows of the original: the mappings of the device file, the
// commands, the writes of sends.
var (
	straceOpen  = regexp.MustCompile(`openat\(AT_FDCWD, "/dev/infiniband/uverbs0".* = (\d+)`)
	straceMap   = regexp.MustCompile(`mmap\(NULL, (\d+), PROT_READ\|PROT_WRITE, MAP_SHARED, (\d+), `)
	straceIoctl = regexp.MustCompile(`ioctl\((\d+), RDMA_VERBS_IOCTL, `)
	straceSend  = regexp.MustCompile(`write\((\d+), "\\34\\0\\0\\0.*, 32\) = 32`)
)

// TestWatchedLikeStrace walks against the original under strace(1): what ibtour
// observes of its own calls is what strace observes of the original's.
func TestWatchedLikeStrace(t *testing.T) {
	verbstest.Tracefs(t)
	const iters = 3
	file := filepath.Join(t.TempDir(), "strace")
	server := start(t, "strace", "-f", "-e", "trace=openat,ioctl,mmap,write", "-o", file, stock, "-g", "1", "-n", strconv.Itoa(iters))
	listening(t, 18515)
	walk := start(t, ibtour, "walk", "--json", "--pause", "never", "-n", strconv.Itoa(iters), "10.0.0.1")
	walk.succeed(t)
	server.succeed(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fd := straceOpen.FindStringSubmatch(string(text))[1]
	count := func(re *regexp.Regexp) (n int) {
		for _, m := range re.FindAllStringSubmatch(string(text), -1) {
			if m[1] == fd {
				n++
			}
		}
		return n
	}
	var sizes []string
	for _, m := range straceMap.FindAllStringSubmatch(string(text), -1) {
		if m[2] == fd {
			sizes = append(sizes, m[1])
		}
	}
	if n := count(straceSend); n != iters {
		t.Errorf("the original writes %d sends, want %d", n, iters)
	}
	seen := watchedCalls(t, walk.out.String())
	var ours []string
	commands := 0
	for _, c := range seen {
		for i := range c.seen.Syscalls {
			switch s := &c.seen.Syscalls[i]; {
			case s.Name == "mmap" && s.RDMA():
				ours = append(ours, strconv.FormatUint(s.Size, 10))
			case strings.HasPrefix(s.Request, "RDMA_VERBS_IOCTL "):
				commands++
			}
		}
	}
	if !slices.Equal(ours, sizes) || len(ours) != 3 {
		t.Errorf("mapped are %v bytes, and by the original %v", ours, sizes)
	}
	if n := count(straceIoctl); n != commands {
		t.Errorf("%d commands were observed, and of the original %d:\n%s", commands, n, text)
	}
	sends := seen.of("ibv_post_send")
	if len(sends) != 1 || len(sends[0].Syscalls) != 1 {
		t.Fatalf("ibv_post_send is seen as %+v", sends)
	}
	if s := sends[0].Syscalls[0]; s.Name != "write" || s.Request != "IB_USER_VERBS_CMD_POST_SEND" || s.Size != 32 || s.Result != 32 || s.Path != "/dev/infiniband/uverbs0" {
		t.Errorf("ibv_post_send is seen as %s", s.String())
	}
	for _, op := range []string{"ibv_post_recv", "ibv_poll_cq"} {
		if got := seen.of(op); len(got) == 0 || len(got[0].Syscalls) != 0 {
			t.Errorf("%s is seen as %+v, want no system call", op, got)
		}
	}
}

// watchedCall is a call with what was observed of it.
type watchedCall struct {
	op   string
	seen *kernel.Seen
}

type watchedList []watchedCall

func (l watchedList) of(op string) (seen []*kernel.Seen) {
	for _, c := range l {
		if c.op == op {
			seen = append(seen, c.seen)
		}
	}
	return seen
}

// watchedCalls are the calls of a walk as JSON that were observed.
func watchedCalls(t *testing.T, out string) (all watchedList) {
	t.Helper()
	for line := range strings.Lines(out) {
		var ev struct {
			Kind steps.Kind
			Call struct{ Op string }
			Seen *kernel.Seen
		}
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if ev.Seen == nil {
			continue
		}
		if ev.Seen.Unwatched != nil || ev.Seen.Lost != 0 {
			t.Fatalf("%s: %v, %d lost", ev.Call.Op, ev.Seen.Unwatched, ev.Seen.Lost)
		}
		all = append(all, watchedCall{ev.Call.Op, ev.Seen})
	}
	return all
}

// TestWatchedAsUser has an ordinary user, who may not observe: the walk works
// and says why, and the descriptors are seen all the same.
func TestWatchedAsUser(t *testing.T) {
	verbstest.Tracefs(t)
	const leaveSoon = `printf '\n\n\n\nq\n' | `
	p := start(t, "su", "learner", "-c", leaveSoon+ibtour+" walk --brief --pause always -d rxe0 -n 3")
	p.succeed(t)
	out := p.out.String()
	for _, want := range []string{
		"note: system calls are not observed: ", "it takes root, or CAP_PERFMON and a tracefs that this user may read (kernel.perf_event_paranoid is 3)",
		"kernel: + opened fd ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the walk does not say %q:\n%s", want, out)
		}
	}
	if strings.Count(out, "are not observed") != 1 || strings.Contains(out, "kernel: ioctl") || strings.Contains(out, "kernel: no system call") {
		t.Errorf("the walk claims more than it can know:\n%s", out)
	}
}

// TestWatchedSoft has the embedded device between two processes: the packets
// are the system calls of its socket, and no file of RDMA is touched.
func TestWatchedSoft(t *testing.T) {
	verbstest.Tracefs(t)
	line := inPeer(ibtour, "auto", "--server", "-d", "soft0?addr=127.0.0.1", "-n", "3")
	server := start(t, line[0], line[1:]...)
	eventuallyInPeer(t)
	// ip netns exec gives the program a /sys of its own.
	line = inPeer("bash", "-c", "mount -t tracefs trace /sys/kernel/tracing && exec "+ibtour+
		" walk --json --pause never -d 'soft0?addr=127.0.0.2' -n 3 127.0.0.1")
	walk := start(t, line[0], line[1:]...)
	walk.succeed(t)
	server.succeed(t)
	seen := watchedCalls(t, walk.out.String())
	sends := seen.of("ibv_post_send")
	if len(sends) != 1 || !slices.ContainsFunc(sends[0].Syscalls, func(s kernel.Syscall) bool { return s.Name == "sendto" && s.Socket() && s.Result > 0 }) {
		t.Errorf("ibv_post_send is seen as %+v, want packets sent on a socket", sends)
	}
	for _, c := range seen {
		for i := range c.seen.Syscalls {
			if c.seen.Syscalls[i].RDMA() {
				t.Errorf("%s makes %s", c.op, c.seen.Syscalls[i].String())
			}
		}
		if strings.HasPrefix(c.op, "ibv_alloc_pd") && len(c.seen.Syscalls) != 0 {
			t.Errorf("%s makes %+v", c.op, c.seen.Syscalls)
		}
	}
}
