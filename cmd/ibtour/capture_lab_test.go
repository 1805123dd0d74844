//go:build lab

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibtour/steps"
)

// A server on rxe0 walks and records its packets while soft0, beyond the cable,
// is the client. lab/test reads the file back with tshark.
func TestRXERecords(t *testing.T) {
	file := "/lab/out/rxe0-captured.pcapng"
	server := start(t, ibtour, "walk", "--brief", "--pause", "never", "--server", "-d", device, "-n", "2", "-r", "16", "--pcap", file)
	listening(t, 18515)
	line := inPeer(ibtour, "auto", "--json", "-d", "soft0", "-n", "2", "-r", "16", "10.0.0.1")
	client := start(t, line[0], line[1:]...)
	client.succeed(t)
	server.succeed(t)
	var doc struct {
		Ends []struct {
			Addresses struct{ Local, Remote steps.AddressText }
		}
	}
	if err := json.Unmarshal(client.out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s", err, client.out.String())
	}
	there, out := doc.Ends[0].Addresses, server.out.String()
	for _, want := range []string{
		"the packets are captured on v0",
		// What this end sends first, as the peer was told to expect it.
		fmt.Sprintf("packet: → QP %s  SEND_FIRST  PSN %s", there.Local.QPN, there.Remote.PSN),
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not told of:\n%s", want, out)
		}
	}
	if strings.Contains(out, "ICRC") || strings.Contains(out, "of other QPs") {
		t.Errorf("a packet has a wrong ICRC, or is not ours:\n%s", out)
	}
	// 2 messages of 4096 bytes each way, their ACKs and what was sent again.
	if s, err := os.Stat(file); err != nil || s.Size() < 4*4096 {
		t.Errorf("the file: %+v, %v", s, err)
	}
}

// An ordinary user is told what is missing, before anything is done.
func TestLearnerMayNotRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.pcapng")
	p := start(t, "su", "learner", "-s", "/bin/sh", "-c", ibtour+" auto --server -d "+device+" --pcap "+file)
	if s := p.status(); s != exitUsage || !strings.Contains(p.errText(), "needs CAP_NET_RAW") || !strings.Contains(p.errText(), "sudo setcap cap_net_raw+ep "+ibtour) {
		t.Errorf("status %d: %s", s, p.errText())
	}
}
