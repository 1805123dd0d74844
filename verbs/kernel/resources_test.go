package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/mdlayher/netlink"
	"github.com/mdlayher/netlink/nltest"

	"ibtour/verbs"
)

// fakeConn answers from recorded answers, and the commands in refused with an
// errno.
func fakeConn(t *testing.T, folder string, refused map[command]syscall.Errno) *conn {
	t.Helper()
	return &conn{nl: nltest.Dial(func(reqs []netlink.Message) ([]netlink.Message, error) {
		req := reqs[0]
		if client := req.Header.Type >> clientShift; client != clientNLDEV {
			t.Fatalf("request to client %d, want NLDEV", client)
		}
		if req.Header.Flags&netlink.Acknowledge != 0 {
			t.Fatal("request asks for an acknowledgement, which would be left in the queue")
		}
		cmd := command(req.Header.Type & (1<<clientShift - 1))
		// An error with the flags of a dump would claim to have attributes.
		refusal := []netlink.Message{{Header: netlink.Header{Sequence: req.Header.Sequence, PID: nltest.PID}}}
		if errno, ok := refused[cmd]; ok {
			return nltest.Error(int(errno), refusal)
		}
		for _, a := range answers {
			if a.cmd == cmd {
				return replies(req, golden(t, folder, a.file)), nil
			}
		}
		return nltest.Error(int(syscall.EINVAL), refusal)
	})}
}

func replies(req netlink.Message, payloads [][]byte) []netlink.Message {
	var all []netlink.Message
	header := netlink.Header{Type: req.Header.Type, Sequence: req.Header.Sequence, PID: nltest.PID}
	if req.Header.Flags&netlink.Dump == netlink.Dump {
		header.Flags = netlink.Multi
	}
	for _, b := range payloads {
		all = append(all, netlink.Message{Header: header, Data: b})
	}
	if header.Flags == netlink.Multi {
		header.Type = netlink.Done
		all = append(all, netlink.Message{Header: header, Data: make([]byte, 4)})
	}
	return all
}

// procOf is a /proc in which every thread is the only one of its process, as in
// the recording.
func procOf(pids ...int) fstest.MapFS {
	proc := fstest.MapFS{}
	for _, p := range pids {
		proc[fmt.Sprintf("%d/status", p)] = &fstest.MapFile{Data: fmt.Appendf(nil, "Name:\tx\nTgid:\t%d\nPid:\t%d\n", p, p)}
	}
	return proc
}

var everyPID = []int{154, 160, 161, 162, 163, 164}

func TestResourcesAgainstRDMATool(t *testing.T) {
	text, err := recorded.ReadFile("testdata/root/rdma.txt")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^\d+ .*\n`).ReplaceAllString(string(text), "") // the list of programs
	got, err := fakeConn(t, "root", nil).resources(procOf(everyPID...), "rxe0", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := comparableText(rdmaText(got)), comparableText(shown); got != want {
		t.Errorf("record differs from what rdma(8) showed at the same time\n got:\n%s\nwant:\n%s", got, want)
	}
	if n, want := got.Objects(), strings.Count(shown, " pid "); n != want {
		t.Errorf("Objects() = %d, want the %d that have a pid", n, want)
	}
	if got.Count("qp") != 7 || got.Count("srq") != 1 || got.Count("dmah") != 0 {
		t.Errorf("summary is %v, want 7 qp, 1 srq, no dmah", got.Summary)
	}
}

func TestResourcesOfOneProcess(t *testing.T) {
	for _, folder := range []string{"root", "learner"} {
		r, err := fakeConn(t, folder, nil).resources(procOf(everyPID...), "rxe0", 154)
		if err != nil {
			t.Fatal(err)
		}
		if r.Objects() != 5 || len(r.Contexts) != 1 || len(r.PDs) != 1 || len(r.MRs) != 1 || len(r.CQs) != 1 || len(r.QPs) != 1 {
			t.Fatalf("%s: process 154 has %+v, want one context, PD, MR, CQ and QP", folder, r)
		}
		q, m := r.QPs[0], r.MRs[0]
		if q.PID != 154 || q.LQPN != 17 || q.Type != verbs.QPTRC || q.State != verbs.QPSRTS || *q.RQPN != 22 || *q.PDN != r.PDs[0].PDN {
			t.Errorf("%s: QP is %+v", folder, q)
		}
		if m.Len != 4096 || *r.PDs[0].CtxN != r.Contexts[0].CtxN || r.CQs[0].CQE != 511 || r.PDs[0].Users != 2 {
			t.Errorf("%s: MR %+v, PD %+v, CQ %+v", folder, m, r.PDs[0], r.CQs[0])
		}
		if keys := m.LKey != nil && m.RKey != nil; keys != (folder == "root") {
			t.Errorf("%s sees keys: %v", folder, keys)
		}
	}
}

func TestResourcesOfOldKernel(t *testing.T) {
	old := map[command]syscall.Errno{cmdResCtxGet: syscall.EINVAL, cmdResSRQGet: syscall.EINVAL}
	r, err := fakeConn(t, "root", old).resources(procOf(everyPID...), "rxe0", 162)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.QPs) != 3 || r.Contexts != nil || r.SRQs != nil {
		t.Errorf("got %+v, want three QPs and neither contexts nor SRQs", r)
	}
}

func TestResourcesErrors(t *testing.T) {
	_, err := fakeConn(t, "root", nil).resources(procOf(), "mlx5_0", 0)
	if !errors.Is(err, verbs.ErrNoDevice) || !strings.Contains(err.Error(), `"mlx5_0"`) {
		t.Errorf("unknown device: %v", err)
	}
	for _, cmd := range []command{cmdGet, cmdResQPGet} {
		refused := map[command]syscall.Errno{cmd: syscall.EPERM}
		r, err := fakeConn(t, "root", refused).resources(procOf(), "rxe0", 0)
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), cmd.String()) {
			t.Errorf("refused %v: %v", cmd, err)
		}
		if r.Objects() != 0 {
			t.Errorf("refused %v: half a record came with the error: %+v", cmd, r)
		}
	}
}

// A record without thread: made by a thread that has ended.
func TestOwnerOfEndedThread(t *testing.T) {
	one, two := new(ID(1)), new(ID(2))
	for name, r := range map[string]Resources{
		"from the context": {
			Contexts: []Context{{CtxN: 1, Owner: Owner{TID: 71}}},
			PDs:      []PD{{PDN: 2, CtxN: one}},
			CQs:      []CQ{{CtxN: one}},
			MRs:      []MR{{PDN: two}},
			QPs:      []QP{{PDN: two}},
		},
		"from the queue pair": {
			Contexts: []Context{{CtxN: 1}},
			PDs:      []PD{{PDN: 2, CtxN: one}},
			CQs:      []CQ{{CtxN: one}},
			MRs:      []MR{{PDN: two}},
			QPs:      []QP{{PDN: two, Owner: Owner{TID: 71}}},
		},
	} {
		strange := []QP{{PDN: new(ID(9))}, {Owner: Owner{Kernel: "ib_core"}}, {PDN: new(ID(3)), Owner: Owner{TID: 80}}}
		r.QPs = append(r.QPs, strange...)
		r.attribute(func(tid int) int { return map[int]int{71: 70, 80: 80}[tid] })
		got := []int{r.Contexts[0].PID, r.PDs[0].PID, r.CQs[0].PID, r.MRs[0].PID, r.QPs[0].PID}
		if want := []int{70, 70, 70, 70, 70}; !slices.Equal(got, want) {
			t.Errorf("%s: processes are %v, want %v", name, got, want)
		}
		if r.QPs[1].PID != 0 || r.QPs[2].PID != 0 || r.QPs[3].PID != 80 {
			t.Errorf("%s: unrelated queue pairs were given away: %+v", name, r.QPs[1:])
		}
	}
}

func TestThreadGroups(t *testing.T) {
	proc := procOf(70)
	proc["71/status"] = &fstest.MapFile{Data: []byte("Name:\tx\nTgid:\t70\nPid:\t71\n")}
	proc["72/status"] = &fstest.MapFile{Data: []byte("garbage")}
	process := threadGroups(proc)
	for tid, want := range map[int]int{70: 70, 71: 70, 72: 0, 73: 0, 0: 0} {
		if got := process(tid); got != want {
			t.Errorf("process of thread %d = %d, want %d", tid, got, want)
		}
	}
}
