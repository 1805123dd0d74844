//go:build unix && !lab

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"ibtour/verbs/wire"
)

// The scripts in testdata run ibtour as its users do: as a process, with its
// output, its exit status and signals. They need no RDMA.

// programs are the commands of the scripts and of other tests.
var programs = map[string]func(){"ibtour": main}

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "ibtour" { // which is a process of a script
		_ = os.Setenv("LC_ALL", "C") // what the tests expect, wherever they run
	}
	testscript.Main(m, programs)
}

// scriptPatience is how long a process of a script may take.
const scriptPatience = 30 * time.Second

// TestScripts runs the scripts. IBTOUR_UPDATE=1 writes what the program prints
// now into those that compare it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata", UpdateScripts: os.Getenv("IBTOUR_UPDATE") != "", RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			port, err := scriptPort()
			if err != nil {
				return err
			}
			// Addresses that no other test of this machine takes: a UDP port of
			// an address has one owner.
			net := fmt.Sprintf("127.%d.%d", 64+rand.IntN(128), rand.IntN(256))
			e.Vars = append(e.Vars, "PORT="+port, "HERE="+net+".1", "THERE="+net+".2", "LC_ALL=C", "TERM=dumb")
			e.Values[servers] = map[string]*server{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fails": fails, "call": call, "serve": serve, "finish": finish, "count": count, "occupy": occupy,
		},
	})
}

// scriptPort finds a TCP port that is free, outside the range from which the
// system takes ports for outgoing connections.
func scriptPort() (string, error) {
	const first, last = 20000, 32000
	for range 100 {
		port := strconv.Itoa(first + rand.IntN(last-first))
		if l, err := net.Listen("tcp", ":"+port); err == nil {
			return port, l.Close()
		}
	}
	return "", errors.New("no free TCP port was found")
}

// fails runs a command that must fail as every command line of ibtour does:
//
//	fails STATUS ARGS...
//
// with that exit status and one line on standard error, and without a usage
// dump or anything on standard output.
func fails(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails STATUS ARGS...")
	}
	status, out, text := inside(ts, args[1:])
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("ibtour ended with status %d, want %s", status, args[0])
	}
	if !strings.HasPrefix(text, "ibtour: ") || strings.Count(text, "\n") != 1 || strings.Contains(text, "Usage:") {
		ts.Fatalf("standard error is not one line: %q", text)
	}
	if out != "" {
		ts.Fatalf("standard output is not empty: %q", out)
	}
}

// call runs a command that needs no process of its own, which is quicker:
//
//	call ARGS...
func call(ts *testscript.TestScript, neg bool, args []string) {
	if status, _, _ := inside(ts, args); (status == exitOK) == neg {
		ts.Fatalf("ibtour ended with status %d", status)
	}
}

// inside runs a command in this process. What it prints is what the script
// then looks at.
func inside(ts *testscript.TestScript, args []string) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	status = run(context.Background(), args, strings.NewReader(""), io.MultiWriter(ts.Stdout(), &out), io.MultiWriter(ts.Stderr(), &errs))
	return status, out.String(), errs.String()
}

// count asserts how often a regular expression matches in a file:
//
//	count N REGEXP FILE
func count(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: count N REGEXP FILE")
	}
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	if n := len(re.FindAllString(ts.ReadFile(args[2]), -1)); strconv.Itoa(n) != args[0] {
		ts.Fatalf("%q is %d times in %s, want %s", args[1], n, args[2], args[0])
	}
}

// occupy takes the UDP port of RoCE v2 on an address, until the script ends:
//
//	occupy ADDRESS
func occupy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: occupy ADDRESS")
	}
	conn, err := net.ListenPacket("udp4", net.JoinHostPort(args[0], strconv.Itoa(wire.Port)))
	ts.Check(err)
	ts.Defer(func() { conn.Close() })
}

type serversKey struct{}

// servers is the key of a script's processes in the background.
var servers serversKey

// server is a process in the background.
type server struct {
	cmd      *exec.Cmd
	out, err strings.Builder
	readers  sync.WaitGroup
}

// serve starts ibtour in the background and waits until it prints a line:
//
//	serve NAME REGEXP ARGS...
//
// Nothing comes on its standard input. A process that ends before fails the
// script, with what it said.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: serve NAME REGEXP ARGS...")
	}
	want, err := regexp.Compile(args[1])
	ts.Check(err)
	s := &server{cmd: exec.Command("ibtour", args[2:]...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = ts.Getenv("WORK"), scriptEnv(ts), &s.err
	pipe, err := s.cmd.StdoutPipe()
	ts.Check(err)
	_, err = s.cmd.StdinPipe() // on which nothing comes
	ts.Check(err)
	ts.Check(s.cmd.Start())
	kill := time.AfterFunc(scriptPatience, func() { _ = s.cmd.Process.Kill() })
	ts.Defer(func() {
		kill.Stop()
		_ = s.cmd.Process.Kill()
	})
	seen := make(chan bool, 1)
	s.readers.Go(func() {
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			fmt.Fprintln(&s.out, lines.Text())
			if want.MatchString(lines.Text()) && len(seen) == 0 {
				seen <- true
			}
		}
		close(seen)
	})
	if !<-seen {
		_ = s.cmd.Wait()
		ts.Fatalf("ibtour %q ended before it printed %q:\n%s%s", args[2:], args[1], s.out.String(), s.err.String())
	}
	ts.Value(servers).(map[string]*server)[args[0]] = s
}

// scriptEnv is the environment of a script.
func scriptEnv(ts *testscript.TestScript) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "LC_ALL=") })
	return append(env, "LC_ALL="+ts.Getenv("LC_ALL"), "TERM="+ts.Getenv("TERM"))
}

// finish waits for the end of what serve started and leaves what it printed in
// NAME.out and NAME.err:
//
//	finish NAME STATUS [SIGNAL]
//
// after sending it a signal, if one is given.
func finish(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: finish NAME STATUS [SIGNAL]")
	}
	s := ts.Value(servers).(map[string]*server)[args[0]]
	if s == nil {
		ts.Fatalf("there is no process %s", args[0])
	}
	if len(args) > 2 {
		ts.Check(s.cmd.Process.Signal(map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}[args[2]]))
	}
	s.readers.Wait()
	_ = s.cmd.Wait() // its status is looked at below
	for suffix, text := range map[string]string{".out": s.out.String(), ".err": s.err.String()} {
		ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), args[0]+suffix), []byte(text), 0o600))
	}
	if status := strconv.Itoa(s.cmd.ProcessState.ExitCode()); status != args[1] {
		ts.Fatalf("%s ended with status %s, want %s\n%s%s", args[0], status, args[1], s.out.String(), s.err.String())
	}
}
