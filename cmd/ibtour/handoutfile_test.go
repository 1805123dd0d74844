package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHandoutRefuses makes sure that a file that cannot be meant is refused
// before anything is executed, and is as it was.
func TestHandoutRefuses(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.md")
	if err := os.WriteFile(kept, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	link, folder := filepath.Join(dir, "link.md"), filepath.Join(dir, "folder.html")
	if err := os.Symlink(kept, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"-o " + link, "no regular file"},
		{"-o " + folder, "no regular file"},
		{"-o /dev/null.d/x.md", "there is no directory"},
		{"-o " + dir + "/run.pdf", ".md or .html"},
		{"-o " + dir + "/run", ".md or .html"},
		{"--server", "both ends"},
		{"--json", "both ends"},
		{"--lang fr", "en or zh"},
		{"-m 7", "path MTU"},
	} {
		status, out, stderr := command(t, append([]string{"handout", "-d", "soft0"}, strings.Fields(c.args)...)...)
		if status != exitUsage || out != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, %q, %q", c.args, status, out, stderr)
		}
	}
	if b, err := os.ReadFile(kept); err != nil || string(b) != "mine" {
		t.Errorf("the file behind the link has %q, %v", b, err)
	}
	names(t, dir, "folder.html kept.md link.md")
}

// TestHandoutOverwrites makes sure that a file is replaced, with its mode.
func TestHandoutOverwrites(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.md")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := command(t, "handout", "-d", "soft0", "-n", "2", "-p", freePort(t), "-o", file); status != exitOK {
		t.Fatal(stderr)
	}
	b, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(b), "# ") {
		t.Errorf("%.40q, %v", b, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	names(t, dir, "run.md")
}

// TestHandoutOfFailedRun makes sure that a run that fails leaves no file.
func TestHandoutOfFailedRun(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	dir := t.TempDir()
	status, out, stderr := command(t, "handout", "-d", "soft0", "-p", port, "-o", filepath.Join(dir, "run.html"))
	if status != exitFailed || out != "" || !strings.Contains(stderr, "server/listen") {
		t.Errorf("status %d, %q, %q", status, out, stderr)
	}
	names(t, dir, "")
}

// names asserts which files a directory holds.
func names(t *testing.T, dir, want string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if s := strings.Join(got, " "); s != want {
		t.Errorf("the directory holds %q, want %q", s, want)
	}
}
