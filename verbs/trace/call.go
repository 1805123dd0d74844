package trace

import (
	"strings"
	"time"
)

// Arg is one argument of a call, in the form a C program would write it.
// A structure has Fields instead of a Value.
type Arg struct {
	Name   string `json:"name"`
	Value  string `json:"value,omitempty"`
	Fields []Arg  `json:"fields,omitempty"`
}

// Layer says where a call is answered.
type Layer string

// The layers a call can be addressed to.
const (
	Verbs  Layer = "verbs"  // libibverbs or the embedded device
	System Layer = "system" // the operating system: memory, sockets
)

// Call is one call made by the program, from the moment before it is made
// (Result empty) to the moment after.
type Call struct {
	Seq      uint64        `json:"seq"`
	Layer    Layer         `json:"layer"`
	Op       string        `json:"op"`               // C name: ibv_alloc_pd
	Object   string        `json:"object,omitempty"` // what it acts on: QP 0x000011
	Args     []Arg         `json:"args,omitempty"`
	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration_ns"`
	Repeat   int           `json:"repeat"`           // equal calls this one stands for, at least 1
	Result   string        `json:"result,omitempty"` // what it returned, in C form
	Errno    string        `json:"errno,omitempty"`  // EINVAL (invalid argument), empty on success
	Err      error         `json:"-"`
}

// C returns the call as one line of C, structures written as designated
// initialisers.
func (c *Call) C() string {
	var b strings.Builder
	b.WriteString(c.Op)
	b.WriteByte('(')
	for i, a := range c.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.writeC(&b, "&{")
	}
	b.WriteByte(')')
	return b.String()
}

// writeC writes the argument; open begins a structure, whose address is passed
// where it is an argument itself.
func (a *Arg) writeC(b *strings.Builder, open string) {
	if a.Fields == nil {
		b.WriteString(a.Value)
		return
	}
	b.WriteString(open)
	for i, f := range a.Fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("." + f.Name + " = ")
		f.writeC(b, "{")
	}
	b.WriteByte('}')
}

// Lines returns the call as C over several lines: one argument or field a
// line where a structure is passed, one line otherwise.
func (c *Call) Lines() []string {
	if !c.hasStruct() {
		return []string{c.C()}
	}
	lines := []string{c.Op + "("}
	for i, a := range c.Args {
		end := ","
		if i == len(c.Args)-1 {
			end = ")"
		}
		lines = a.appendLines(lines, "  ", "", end)
	}
	return lines
}

func (c *Call) hasStruct() bool {
	for _, a := range c.Args {
		if a.Fields != nil {
			return true
		}
	}
	return false
}

func (a *Arg) appendLines(lines []string, indent, label, end string) []string {
	if a.Fields == nil {
		return append(lines, indent+label+a.Value+end)
	}
	open := "{"
	if label == "" {
		open = "&{"
	}
	lines = append(lines, indent+label+open)
	for _, f := range a.Fields {
		lines = f.appendLines(lines, indent+"  ", "."+f.Name+" = ", ",")
	}
	return append(lines, indent+"}"+end)
}
