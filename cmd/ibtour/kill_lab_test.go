//go:build lab

package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"ibtour/steps"
	"ibtour/verbs"
	"ibtour/verbs/kernel"
	"ibtour/verbs/libibverbs"
)

// interruptAt runs the tour of both ends and sends itself a signal at its n-th
// moment: before a step or before a call. The real handler gets it. It reports
// false when the run has fewer moments.
func interruptAt(t *testing.T, driver verbs.Driver, n int, sig syscall.Signal) bool {
	t.Helper()
	ctx, stop := withSignals(context.Background())
	defer stop()
	opts := steps.DefaultOptions()
	opts.Walk, opts.Events, opts.Iters, opts.RxDepth, opts.GIDIdx, opts.Device = true, true, 2, 3, 1, device
	where, at := "", 0
	r := steps.Runner{
		Tour: &steps.RCPingPong, Opts: &opts, Driver: driver, Roles: []steps.Role{steps.Server, steps.Client},
		Gate: func(ctx context.Context, m steps.Moment) error {
			if at++; at != n {
				return context.Cause(ctx)
			}
			where = m.Stop.Name()
			if err := syscall.Kill(syscall.Getpid(), sig); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
			return context.Cause(ctx)
		},
	}
	err := r.Run(ctx)
	want := exitOK
	if where != "" {
		want = exitSignal + int(sig)
	}
	if got := status(err); got != want {
		t.Errorf("signal %d at %q, moment %d: exit status %d, want %d: %v", sig, where, n, got, want, err)
	}
	if left := objects(t); left != 0 {
		t.Errorf("signal %d at %q, moment %d leaves %d objects", sig, where, n, left)
	}
	return where != ""
}

func TestSignalAtEveryMoment(t *testing.T) {
	driver, err := libibverbs.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		n := 1
		for interruptAt(t, driver, n, sig) {
			n++
		}
		if want := 140; n < want {
			t.Errorf("the run of both ends has %d moments, want at least %d", n-1, want)
		}
	}
}

// The same as a user meets it: a walk that waits for Enter, and Ctrl-C.
func TestInterruptedWalk(t *testing.T) {
	for _, at := range []string{"open_device", "accept", "client/qp_rts", "destroy_cq"} {
		prompted := make(chan struct{})
		p := startWith(t, silent(t), &prompts{on: func(int) { close(prompted) }}, ibtour, "walk", "--at", at, "-d", device)
		select {
		case <-prompted:
		case <-p.done:
			t.Fatalf("the walk ended before %s:\n%s", at, p.errText())
		}
		if err := p.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if s := p.status(); s != exitSignal+int(syscall.SIGINT) {
			t.Errorf("a walk interrupted at %s ends with %d\n%s", at, s, p.err.String())
		}
		if out := p.out.String(); !strings.Contains(out, "== stopping: ") {
			t.Errorf("a walk interrupted at %s does not say that it stops:\n%s", at, out)
		}
		nothingLeft(t)
	}
}

// A step that panics is no reason to leave anything behind.
func TestPanicAtEveryPhase(t *testing.T) {
	driver, err := libibverbs.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"open_device", "reg_mr", "create_qp", "listen", "qp_rts", "post_send", "iterate", "destroy_cq"} {
		opts := steps.DefaultOptions()
		opts.Walk, opts.Iters, opts.Device = true, 2, device
		r := steps.Runner{
			Tour: panicAt(id), Opts: &opts, Driver: driver, Roles: []steps.Role{steps.Server, steps.Client},
		}
		err := r.Run(t.Context())
		var p *steps.PanicError
		if !errors.As(err, &p) || p.Value != "injected" {
			t.Errorf("a panic in %s gives %v", id, err)
		}
		if s := status(err); s != exitInternal {
			t.Errorf("a panic in %s exits with %d, want %d", id, s, exitInternal)
		}
		if left := objects(t); left != 0 {
			t.Errorf("a panic in %s leaves %d objects", id, left)
		}
	}
}

// panicAt returns the tour with one step that panics after it has worked.
func panicAt(id string) *steps.Tour {
	tour := steps.Tour{Name: "broken"}
	for _, s := range steps.RCPingPong.Steps {
		if s.ID == id {
			works := s.Do
			s.Do = func(ctx context.Context, e *steps.End) error {
				if err := works(ctx, e); err != nil {
					return err
				}
				panic("injected")
			}
		}
		tour.Steps = append(tour.Steps, s)
	}
	return &tour
}

// SIGKILL leaves the cleaning to the kernel; the next run works.
func TestKilled(t *testing.T) {
	held := startWith(t, silent(t), nil, ibtour, "walk", "--at", "iterate", "-d", device)
	eventually(t, "two queue pairs in RTS", func() bool {
		r, err := kernel.ReadResources(device, held.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		return len(r.QPs) == 2 && r.QPs[0].State.Short() == "RTS" && r.QPs[1].State.Short() == "RTS"
	})
	if err := held.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	held.status()
	nothingLeft(t)
	start(t, ibtour, "auto", "-n", "10", "-d", device).succeed(t)
	nothingLeft(t)
}

// silent returns a standard input on which nothing ever comes.
func silent(t *testing.T) *os.File {
	t.Helper()
	stdin, _ := pipe(t)
	return stdin
}

// Ctrl-C during the iterations prints what was measured.
func TestInterruptedAuto(t *testing.T) {
	for _, args := range [][]string{nil, {"-e"}, {"-c"}} {
		p := start(t, ibtour, append([]string{"auto", "-n", "100000000", "-d", device}, args...)...)
		before := received(t)
		eventually(t, "100 messages", func() bool { return received(t) > before+100 })
		if err := p.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		if s := p.status(); s != exitSignal+int(syscall.SIGINT) {
			t.Errorf("auto %v ends with %d, want 130\n%s", args, s, p.err.String())
		}
		if !strings.Contains(p.out.String(), "round trip: min ") {
			t.Errorf("auto %v was interrupted and prints no figures:\n%s", args, p.out.String())
		}
		nothingLeft(t)
	}
}

// received returns how many messages the device has received.
func received(t *testing.T) uint64 {
	t.Helper()
	counters, err := kernel.ReadHWCounters(device, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counters {
		if c.Name == "rdma_recvs" {
			return c.Value
		}
	}
	t.Fatalf("%s has no counter rdma_recvs", device)
	return 0
}
