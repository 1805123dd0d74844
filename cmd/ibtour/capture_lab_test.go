//go:build lab

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ibtour/verbs/trace"
)

// A server on rxe0 records its packets while soft0, beyond the cable, is the
// client. lab/test reads the file back with tshark.
func TestRXERecords(t *testing.T) {
	file := "/lab/out/rxe0-captured.pcapng"
	server := start(t, ibtour, "auto", "--server", "--json", "-d", device, "-n", "3", "-r", "16", "--pcap", file)
	listening(t, 18515)
	line := inPeer(ibtour, "auto", "-d", "soft0", "-n", "3", "-r", "16", "10.0.0.1")
	client := start(t, line[0], line[1:]...)
	client.succeed(t)
	server.succeed(t)
	var doc autoDoc
	if err := json.Unmarshal(server.out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s", err, server.out.String())
	}
	want := trace.Capture{State: trace.CaptureOpen, Device: device, Driver: "rxe", On: "v0"}
	if doc.Capture == nil || *doc.Capture != want {
		t.Errorf("the capture is %+v, want %+v", doc.Capture, want)
	}
	// 3 messages of 4096 bytes each way and 6 ACKs, the repeated ones besides.
	s, err := os.Stat(file)
	if err != nil || s.Size() < 6*4096 {
		t.Errorf("the file has %d bytes, %v", s.Size(), err)
	}
}

// A walk tells of the packets, each with a valid ICRC. The peer is another
// program, so the numbers are those that the ends exchanged.
func TestRXEWalkTellsOfPackets(t *testing.T) {
	line := inPeer(ibtour, "auto", "--server", "--json", "-d", "soft0", "-n", "2", "-r", "16")
	server := start(t, line[0], line[1:]...)
	eventuallyInPeer(t)
	client := start(t, ibtour, "walk", "--brief", "--pause", "never", "-d", device, "-n", "2", "-r", "16", "10.0.0.2")
	client.succeed(t)
	server.succeed(t)
	var doc autoDoc
	if err := json.Unmarshal(server.out.Bytes(), &doc); err != nil {
		t.Fatalf("%v: %s", err, server.out.String())
	}
	there := doc.Ends[0].Addresses
	out := client.out.String()
	for _, want := range []string{
		"the packets are captured on v0",
		// What this end sends first, as the peer expects it.
		fmt.Sprintf("packet: → QP %s  SEND_FIRST  PSN %s", there.Local.QPN, there.Remote.PSN),
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not told of:\n%s", want, out)
		}
	}
	if strings.Contains(out, "ICRC wrong") {
		t.Errorf("a packet has a wrong ICRC:\n%s", out)
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
