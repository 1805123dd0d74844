//go:build lab && linux

package kernel

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/mdlayher/netlink"
)

var captureDir = flag.String("capture", "", "write the kernel's answers about rxe0 to this folder")

// TestLabCapture records the answers that testdata holds; testdata/capture.sh
// runs it.
func TestLabCapture(t *testing.T) {
	if *captureDir == "" {
		t.Skip("no -capture given: there is nothing to record")
	}
	c, err := dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	dev, err := c.device("rxe0")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		flags, attrs := netlink.Dump, deviceAttr(dev.Index)
		if a.cmd == cmdStatGet {
			flags, attrs = 0, portAttr(dev.Index, 1)
		}
		if a.cmd == cmdSysGet {
			flags = 0
		}
		if a.cmd == cmdGetChardev {
			flags, attrs = 0, chardevAttr(dev.Index)
		}
		messages, err := c.ask(a.cmd, flags, attrs)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		for _, m := range messages {
			text.WriteString(hex.EncodeToString(m.Data) + "\n")
		}
		if err := os.WriteFile(filepath.Join(*captureDir, a.file+".hex"), text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
