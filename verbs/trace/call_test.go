package trace_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ibtour/verbs/trace"
)

func arg(name, value string) trace.Arg { return trace.Arg{Name: name, Value: value} }

// modify is a call with structures inside structures.
func modify() *trace.Call {
	return &trace.Call{Op: "ibv_modify_qp", Args: []trace.Arg{
		arg("qp", "qp"),
		{Name: "attr", Fields: []trace.Arg{
			arg("qp_state", "IBV_QPS_RTR"),
			{Name: "ah_attr", Fields: []trace.Arg{
				arg("is_global", "1"),
				{Name: "grh", Fields: []trace.Arg{arg("dgid", "::1"), arg("hop_limit", "64")}},
				arg("port_num", "1"),
			}},
			arg("rq_psn", "0x000001"),
		}},
		arg("attr_mask", "IBV_QP_STATE | IBV_QP_AV"),
	}}
}

var golden = []struct {
	name  string
	call  *trace.Call
	c     string
	lines string
}{
	{"no argument", &trace.Call{Op: "f"}, "f()", "f()"},
	{"plain", &trace.Call{Op: "ibv_alloc_pd", Args: []trace.Arg{arg("context", "soft0")}}, "ibv_alloc_pd(soft0)", "ibv_alloc_pd(soft0)"},
	{
		"several", &trace.Call{Op: "f", Args: []trace.Arg{arg("a", "1"), arg("b", "NULL"), arg("c", "&x")}},
		"f(1, NULL, &x)", "f(1, NULL, &x)",
	},
	{
		"nested", modify(),
		"ibv_modify_qp(qp, &{.qp_state = IBV_QPS_RTR, .ah_attr = {.is_global = 1, .grh = {.dgid = ::1, .hop_limit = 64}, " +
			".port_num = 1}, .rq_psn = 0x000001}, IBV_QP_STATE | IBV_QP_AV)",
		`ibv_modify_qp(
  qp,
  &{
    .qp_state = IBV_QPS_RTR,
    .ah_attr = {
      .is_global = 1,
      .grh = {
        .dgid = ::1,
        .hop_limit = 64,
      },
      .port_num = 1,
    },
    .rq_psn = 0x000001,
  },
  IBV_QP_STATE | IBV_QP_AV)`,
	},
	{
		"structure last", &trace.Call{Op: "f", Args: []trace.Arg{{Name: "s", Fields: []trace.Arg{arg("x", "1")}}}},
		"f(&{.x = 1})", "f(\n  &{\n    .x = 1,\n  })",
	},
	{
		"empty structure", &trace.Call{Op: "f", Args: []trace.Arg{{Name: "s", Fields: []trace.Arg{}}, arg("n", "0")}},
		"f(&{}, 0)", "f(\n  &{\n  },\n  0)",
	},
}

func TestC(t *testing.T) {
	for _, g := range golden {
		if s := g.call.C(); s != g.c {
			t.Errorf("%s:\n%s\nwant\n%s", g.name, s, g.c)
		}
	}
}

func TestLines(t *testing.T) {
	for _, g := range golden {
		if s := strings.Join(g.call.Lines(), "\n"); s != g.lines {
			t.Errorf("%s:\n%s\nwant\n%s", g.name, s, g.lines)
		}
	}
}

// A call as JSON leaves out what it has not, and takes the reader no guess.
func TestCallJSON(t *testing.T) {
	c := &trace.Call{Seq: 3, Layer: trace.Verbs, Op: "f", Args: []trace.Arg{{Name: "s", Fields: []trace.Arg{arg("x", "1")}}}, Repeat: 1}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"seq":3,"layer":"verbs","op":"f","args":[{"name":"s","fields":[{"name":"x","value":"1"}]}],` +
		`"start":"0001-01-01T00:00:00Z","duration_ns":0,"repeat":1}`
	if string(b) != want {
		t.Errorf("%s\nwant\n%s", b, want)
	}
}

func TestKinds(t *testing.T) {
	for want, e := range map[string]trace.Event{
		"state": trace.StateChange{}, "completion": trace.Completion{}, "packet": trace.Packet{},
	} {
		if e.Kind() != want {
			t.Errorf("%T is of kind %q, want %q", e, e.Kind(), want)
		}
	}
}
