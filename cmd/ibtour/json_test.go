//go:build !lab

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// autoDoc is what auto --json documents.
type autoDoc struct {
	Tour    string         `json:"tour"`
	Device  string         `json:"device"`
	Note    string         `json:"note"`
	Options map[string]any `json:"options"`
	Ends    []struct {
		Role      steps.Role `json:"end"`
		Addresses struct {
			Local, Remote steps.AddressText
		} `json:"addresses"`
		Notes   []string `json:"notes"`
		Figures *struct {
			Role      steps.Role      `json:"end"`
			Size      int             `json:"size_bytes"`
			Iters     int             `json:"iterations"`
			Elapsed   int64           `json:"elapsed_ns"`
			RoundTrip steps.RoundTrip `json:"round_trip_ns"`
			Bytes     int             `json:"bytes_both_directions"`
			Mbit      float64         `json:"mbit_per_sec_both_directions"`
			Usec      float64         `json:"usec_per_round_trip"`
		} `json:"figures"`
	} `json:"ends"`
	Capture *trace.Capture `json:"capture"`
	Error   string         `json:"error"`
	Status  *int           `json:"exit_status"`
}

// autoOn runs auto --json on soft0 and returns its document, which must be the
// only thing on standard output and have no field that is not documented.
func autoOn(t *testing.T, args ...string) (doc autoDoc, status int, stderr string) {
	t.Helper()
	status, out, stderr := command(t, append([]string{"auto", "--json", "-d", "soft0", "-p", freePort(t)}, args...)...)
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		t.Fatalf("auto %v: %v\n%s", args, err, out)
	}
	if dec.More() {
		t.Errorf("auto %v prints more than one document:\n%s", args, out)
	}
	if doc.Status == nil || *doc.Status != status {
		t.Errorf("auto %v: exit status %d, and the document has %v", args, status, doc.Status)
	}
	return doc, status, stderr
}

func TestAutoJSON(t *testing.T) {
	doc, status, stderr := autoOn(t, "-n", "20", "-s", "1025", "-m", "512", "-r", "7", "-e", "-c", "-l", "3")
	if status != exitOK || stderr != "" || doc.Error != "" || doc.Tour != "rc-pingpong" || doc.Device != "soft0" || doc.Note != "" {
		t.Errorf("status %d, %q, %+v", status, stderr, doc)
	}
	want := map[string]any{
		"size": 1025.0, "mtu": 512.0, "rx_depth": 7.0, "iters": 20.0, "sl": 3.0, "events": true, "check": true, "ib_port": 1.0,
	}
	for name, v := range want {
		if doc.Options[name] != v {
			t.Errorf("option %s is %v, want %v", name, doc.Options[name], v)
		}
	}
	if len(doc.Ends) != 2 {
		t.Fatalf("%d ends, want 2", len(doc.Ends))
	}
	a, b := doc.Ends[0], doc.Ends[1]
	if a.Addresses.Local != b.Addresses.Remote || b.Addresses.Local != a.Addresses.Remote || a.Addresses.Local.QPN == b.Addresses.Local.QPN {
		t.Errorf("the addresses are %+v and %+v", a.Addresses, b.Addresses)
	}
	for _, e := range doc.Ends {
		n := map[steps.Role]int{steps.Server: 19, steps.Client: 20}[e.Role]
		f := e.Figures
		if f == nil || f.Role != e.Role || f.Size != 1025 || f.Iters != n || f.Bytes != 2*1025*n || f.Elapsed <= 0 || f.Mbit <= 0 || f.Usec <= 0 {
			t.Errorf("%s: %+v, want %d round trips", e.Role, f, n)
		}
		if rt := f.RoundTrip; rt.Min <= 0 || rt.Median < rt.Min || rt.P99 < rt.Median || rt.P999 < rt.P99 || rt.Max < rt.P999 {
			t.Errorf("%s: the distribution is out of order: %+v", e.Role, rt)
		}
		if len(e.Notes) == 0 {
			t.Errorf("%s: nothing says which GID was chosen", e.Role)
		}
	}
}

// A run that fails is still one document, and says why.
func TestAutoJSONFailure(t *testing.T) {
	doc, status, stderr := autoOn(t, "-g", "200")
	if status != exitFailed || !strings.Contains(doc.Error, "client/query_gid: ") || !strings.Contains(stderr, doc.Error) {
		t.Errorf("status %d, %q, %q", status, doc.Error, stderr)
	}
	for _, e := range doc.Ends {
		if e.Figures != nil {
			t.Errorf("%s has figures", e.Role)
		}
	}
}

// walkEvent is a line of walk --json.
type walkEvent struct {
	Seq    int        `json:"seq"`
	Kind   steps.Kind `json:"kind"`
	Step   string     `json:"step"`
	Stop   int        `json:"stop"`
	End    steps.Role `json:"end"`
	Title  string     `json:"title"`
	Error  string     `json:"error"`
	Call   *walkCall  `json:"call"`
	Detail map[string]any
}

type walkCall struct {
	Op     string `json:"op"`
	Result string `json:"result"`
}

// walkLines runs walk --json on soft0 and returns its events.
func walkLines(t *testing.T, stdin string, args ...string) (events []walkEvent, status int) {
	t.Helper()
	var out, stderr strings.Builder
	args = append([]string{"walk", "--json", "-d", "soft0", "-p", freePort(t), "-n", "3"}, args...)
	status = run(t.Context(), args, strings.NewReader(stdin), &out, &stderr)
	for line := range strings.Lines(out.String()) {
		var ev walkEvent
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if ev.Seq != len(events) {
			t.Errorf("event %d has the number %d", len(events), ev.Seq)
		}
		events = append(events, ev)
	}
	return events, status
}

// Each step begins once and ends once, in order, with its calls in between.
func TestWalkJSON(t *testing.T) {
	events, status := walkLines(t, "", "--pause", "never")
	if status != exitOK || len(events) == 0 {
		t.Fatalf("status %d, %d events", status, len(events))
	}
	if first, last := events[0], events[len(events)-1]; first.Kind != steps.RunStarted || last.Kind != steps.RunDone || last.Error != "" {
		t.Errorf("the run is from %+v to %+v", first, last)
	}
	running, begun, called := -1, 0, ""
	for _, ev := range events {
		switch ev.Kind {
		case steps.StepStarted:
			if running != -1 || ev.Stop != begun || ev.Title == "" {
				t.Errorf("step %d (%s) begins while %d runs, after %d", ev.Stop, ev.Step, running, begun)
			}
			running = ev.Stop
			begun++
		case steps.StepDone:
			if ev.Stop != running || called != "" || ev.Error != "" {
				t.Errorf("step %d ends while %d runs, with a call of %q: %s", ev.Stop, running, called, ev.Error)
			}
			running = -1
		case steps.CallStarted:
			if ev.Stop != running || called != "" || ev.Call.Result != "" {
				t.Errorf("%+v begins in step %d while %q is made", ev.Call, running, called)
			}
			called = ev.Call.Op
		case steps.CallDone:
			if ev.Call.Op != called || ev.Call.Result == "" {
				t.Errorf("%+v ends, but %q was made", ev.Call, called)
			}
			called = ""
		case steps.StateChanged, steps.Completed:
			if ev.Detail == nil {
				t.Errorf("%s without a detail", ev.Kind)
			}
		case steps.RunStarted, steps.RunDone, steps.CallRepeated, steps.PacketSeen, steps.Noticed, steps.Met, steps.Progressed, steps.Measured:
		default:
			t.Errorf("an event of kind %q in a run that succeeds", ev.Kind)
		}
	}
	if begun != 60 {
		t.Errorf("%d steps, want 60", begun)
	}
	if got := statesOf(events, steps.Client); !slices.Equal(got, []string{"INIT", "RTR", "RTS"}) {
		t.Errorf("the client's queue pair goes to %q", got)
	}
}

// statesOf returns the states the queue pair of an end moved to.
func statesOf(events []walkEvent, end steps.Role) (to []string) {
	for _, ev := range events {
		if s, ok := ev.Detail["to"].(string); ok && ev.Kind == steps.StateChanged && ev.End == end {
			to = append(to, s)
		}
	}
	return to
}

// Left by its reader, a walk says so in its events, and ends with 0.
func TestWalkJSONLeft(t *testing.T) {
	events, status := walkLines(t, "q\n", "--at", "client/qp_init")
	if status != exitOK {
		t.Errorf("status %d", status)
	}
	i := slices.IndexFunc(events, func(ev walkEvent) bool { return ev.Kind == steps.Stopping })
	if i < 0 || events[i].Error != "client/qp_init: left by the reader" {
		t.Fatalf("nothing says that the walk stops")
	}
	destroyed := 0
	for _, ev := range events[i:] {
		if ev.Kind == steps.CallDone && ev.Call.Op == "ibv_destroy_qp" {
			destroyed++
		}
	}
	if destroyed != 2 {
		t.Errorf("%d queue pairs are destroyed after that, want 2", destroyed)
	}
}
