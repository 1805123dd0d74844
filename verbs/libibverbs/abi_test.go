//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var record = flag.String("record", "", "write the probe's answer to testdata/abi_X.json, X being the release of rdma-core")

// abi is what one release of rdma-core says about its structures and enums.
type abi struct {
	Sizes  map[string]uintptr `json:"sizes"`
	Fields map[string]string  `json:"fields"` // "offset size"
	Values map[string]int64   `json:"values"`
}

// TestABIRecorded compares the Go code with what was recorded on releases of
// rdma-core.
func TestABIRecorded(t *testing.T) {
	files := must[[]string](t)(filepath.Glob("testdata/abi_*.json"))
	if len(files) == 0 {
		t.Fatal("nothing was recorded")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var a abi
			ok(t, json.Unmarshal(must[[]byte](t)(os.ReadFile(file)), &a))
			a.check(t)
		})
	}
}

// TestABIProbe compares the Go code with the header installed here, by asking
// the C compiler.
func TestABIProbe(t *testing.T) {
	a := probe(t)
	a.check(t)
	if *record != "" {
		text := must[[]byte](t)(json.MarshalIndent(a, "", "\t"))
		ok(t, os.WriteFile("testdata/abi_"+*record+".json", append(text, '\n'), 0o644))
	}
}

// check compares both ways: no name of ours may be missing in C's answer.
func (a *abi) check(t *testing.T) {
	t.Helper()
	for name, s := range cStructs() {
		if size := a.Sizes[name]; !s.fits(size) {
			t.Errorf("sizeof(struct %s) is %d in C and %d in Go", name, size, s.typ.Size())
		}
		for field, want := range s.fields(name) {
			if got := a.Fields[field]; got != want {
				t.Errorf("offset and size of %s are %q in C and %q in Go", field, got, want)
			}
		}
	}
	for name, want := range cValues() {
		if got, ok := a.Values[name]; !ok || got != want {
			t.Errorf("%s is %d in C (present: %v) and %d in Go", name, got, ok, want)
		}
	}
}

// probe compiles and runs testdata/abi.c.
func probe(t *testing.T) abi {
	t.Helper()
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if _, err := exec.LookPath(cc); err != nil {
		unproved(t, "there is no C compiler: "+err.Error())
	}
	dir := t.TempDir()
	ok(t, os.WriteFile(filepath.Join(dir, "abi_names.h"), names(), 0o600))
	exe := filepath.Join(dir, "abi")
	out, err := exec.CommandContext(t.Context(), cc, "-Wall", "-Werror", "-I", dir, "-o", exe, "testdata/abi.c").CombinedOutput()
	if err != nil && strings.Contains(string(out), "infiniband/verbs.h: No such file") {
		unproved(t, "there is no <infiniband/verbs.h>: install libibverbs-dev (Debian, Ubuntu) or rdma-core-devel (Fedora)")
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", cc, err, out)
	}
	return parse(t, must[[]byte](t)(exec.CommandContext(t.Context(), exe).Output()))
}

// unproved skips, unless the environment says that skipping is not allowed.
func unproved(t *testing.T, why string) {
	t.Helper()
	why = "THE LAYOUT OF THE C STRUCTURES WAS NOT CHECKED AGAINST THIS SYSTEM: " + why
	if os.Getenv("IBTOUR_REQUIRE_ABI") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// names lists what the probe is to print.
func names() []byte {
	var b bytes.Buffer
	for name, s := range cStructs() {
		fmt.Fprintf(&b, "SIZE(%s)\n", name)
		for field := range s.fields(name) {
			_, field, _ = strings.Cut(field, ".")
			fmt.Fprintf(&b, "FIELD(%s, %s)\n", name, field)
		}
	}
	for name := range cValues() {
		fmt.Fprintf(&b, "VALUE(%s)\n", name)
	}
	return b.Bytes()
}

func parse(t *testing.T, out []byte) abi {
	t.Helper()
	a := abi{Sizes: map[string]uintptr{}, Fields: map[string]string{}, Values: map[string]int64{}}
	for line := range strings.Lines(string(out)) {
		var kind, name string
		var n [2]int64
		if got, _ := fmt.Sscan(line, &kind, &name, &n[0], &n[1]); got < 3 {
			t.Fatalf("the probe printed %q", line)
		}
		switch kind {
		case "size":
			a.Sizes[name] = uintptr(n[0])
		case "field":
			a.Fields[name] = fmt.Sprint(n[0], n[1])
		case "value":
			a.Values[name] = n[0]
		}
	}
	return a
}
