package kernel

import (
	"embed"
	"encoding/hex"
	"path"
	"strings"
	"testing"
)

// answers are the recorded answers of the kernel: a file of testdata/FOLDER with
// one message a line for each command.
var answers = []struct {
	cmd  command
	file string
}{
	{cmdGet, "device"},
	{cmdPortGet, "link"},
	{cmdSysGet, "system"},
	{cmdResGet, "summary"},
	{cmdResQPGet, "qp"},
	{cmdResCMGet, "cmid"},
	{cmdResCQGet, "cq"},
	{cmdResMRGet, "mr"},
	{cmdResPDGet, "pd"},
	{cmdStatGet, "counter"},
	{cmdResCtxGet, "context"},
	{cmdResSRQGet, "srq"},
	{cmdGetChardev, "driver"},
}

// recorded is embedded, so that the tests run in the lab VM as well.
//
//go:embed testdata/root testdata/learner
var recorded embed.FS

// golden returns the messages of a recorded answer.
func golden(tb testing.TB, folder, file string) [][]byte {
	tb.Helper()
	text, err := recorded.ReadFile(path.Join("testdata", folder, file+".hex"))
	if err != nil {
		tb.Fatal(err)
	}
	var all [][]byte
	for line := range strings.Lines(string(text)) {
		b, err := hex.DecodeString(strings.TrimSpace(line))
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, b)
	}
	return all
}
