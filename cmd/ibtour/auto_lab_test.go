//go:build lab

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ibtour/steps"
)

// document is what auto --json prints.
type document struct {
	Ends []struct {
		Role    steps.Role `json:"end"`
		Figures struct {
			Iters     int             `json:"iterations"`
			Size      int             `json:"size_bytes"`
			Bytes     int             `json:"bytes_both_directions"`
			RoundTrip steps.RoundTrip `json:"round_trip_ns"`
		} `json:"figures"`
	} `json:"ends"`
	Status int    `json:"exit_status"`
	Error  string `json:"error"`
}

// pairing is who the two ends of a run are.
type pairing struct {
	name           string
	server, client string // programs; both empty: one process
}

var pairings = []pairing{
	{"one process", "", ""},
	{"two processes", ibtour, ibtour},
	{"stock client", ibtour, stock},
	{"stock server", stock, ibtour},
}

// shape is the options of a run that both programs have.
type shape struct {
	size, iters, depth int
	events, check      bool
	gid                int
}

func (s shape) args() []string {
	a := []string{
		"-s", strconv.Itoa(s.size), "-n", strconv.Itoa(s.iters), "-r", strconv.Itoa(s.depth),
		"-g", strconv.Itoa(s.gid), "-d", device,
	}
	if s.events {
		a = append(a, "-e")
	}
	if s.check {
		a = append(a, "-c")
	}
	return a
}

func (s shape) String() string {
	return strings.NewReplacer(" ", "", "-d"+device, "").Replace(strings.Join(s.args(), ""))
}

func TestAuto(t *testing.T) {
	v4, v6 := gids(t)
	for _, p := range pairings {
		t.Run(p.name, func(t *testing.T) {
			for _, s := range shapes(v4, v6) {
				t.Run(s.String(), func(t *testing.T) { p.run(t, s) })
			}
			nothingLeft(t)
		})
	}
}

// shapes covers each size with each way of waiting, both kinds of GID, short
// and long runs, the smallest receive queue and validation.
func shapes(v4, v6 int) []shape {
	var out []shape
	for i, size := range []int{1, 1024, 1025, 4096, 65536, 1 << 20} {
		iters := 40
		if size > 1<<16 {
			iters = 3
		}
		gid := []int{v4, v6}
		out = append(out,
			shape{size: size, iters: iters, depth: 500, gid: gid[i%2]},
			shape{size: size, iters: iters, depth: 500, gid: gid[1-i%2], events: true})
	}
	return append(out,
		shape{size: 4096, iters: 1, depth: 500, gid: v4},
		shape{size: 4096, iters: 1, depth: 500, gid: v6, events: true},
		shape{size: 64, iters: 10000, depth: 500, gid: v4},
		shape{size: 4096, iters: 200, depth: 1, gid: v4},
		shape{size: 4096, iters: 200, depth: 1, gid: v6, events: true},
		shape{size: 4097, iters: 50, depth: 500, gid: v4, check: true},
		shape{size: 65536, iters: 20, depth: 500, gid: v6, check: true, events: true})
}

// run runs one shape and asserts that both ends succeed and count right.
func (p pairing) run(t *testing.T, s shape) {
	if p.server == "" {
		one := start(t, ibtour, append([]string{"auto", "--json"}, s.args()...)...)
		one.succeed(t)
		s.assert(t, one, steps.Server, steps.Client)
		return
	}
	args := s.args()
	server := start(t, p.server, roleArgs(p.server, args, "--server")...)
	listening(t, 18515)
	client := start(t, p.client, roleArgs(p.client, args, "10.0.0.1")...)
	client.succeed(t)
	server.succeed(t)
	for who, proc := range map[steps.Role]*proc{steps.Server: server, steps.Client: client} {
		if proc.Args[0] == ibtour {
			s.assert(t, proc, who)
		} else if out := proc.out.String(); !strings.Contains(out, fmt.Sprintf("%d iters in", s.iters)) ||
			strings.Contains(out, "invalid data") {
			t.Errorf("%v: the original prints\n%s", proc.Args, out)
		}
	}
}

// roleArgs turns the common options into those of a program in a role.
func roleArgs(program string, args []string, role string) []string {
	if program == ibtour {
		return append([]string{"auto", "--json", role}, args...)
	}
	if role == "--server" {
		return args
	}
	return append([]string{role}, args...)
}

// assert checks the JSON of a run: a client measures every round trip, a
// server all but the first.
func (s shape) assert(t *testing.T, p *proc, roles ...steps.Role) {
	t.Helper()
	var doc document
	if err := json.Unmarshal(p.out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %v\n%s", p.Args, err, p.out.String())
	}
	if len(doc.Ends) != len(roles) {
		t.Fatalf("%v reports %d ends, want %d", p.Args, len(doc.Ends), len(roles))
	}
	for _, e := range doc.Ends {
		want := s.iters
		if e.Role == steps.Server {
			want--
		}
		f := e.Figures
		if f.Iters != want || f.Bytes != 2*s.size*want {
			t.Errorf("%s: %d round trips of %d bytes in all, want %d of %d", e.Role, f.Iters, f.Bytes, want, 2*s.size*want)
		}
		if rt := f.RoundTrip; want > 0 && (rt.Min <= 0 || rt.Median < rt.Min || rt.P99 < rt.Median || rt.P999 < rt.P99 || rt.Max < rt.P999) {
			t.Errorf("%s: the distribution is out of order: %+v", e.Role, rt)
		}
	}
}
