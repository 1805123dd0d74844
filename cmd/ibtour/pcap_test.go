//go:build !lab

package main

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ibtour/steps"
	"ibtour/verbs/wire"
)

// needTshark skips the test without tshark. Where it must be there
// (IBTOUR_REQUIRE_TSHARK=1) its absence is a failure.
func needTshark(t *testing.T) {
	t.Helper()
	_, err := exec.LookPath("tshark")
	switch {
	case err == nil:
	case os.Getenv("IBTOUR_REQUIRE_TSHARK") != "":
		t.Fatalf("captures cannot be read back: %v (apt-get install tshark)", err)
	default:
		t.Skipf("SKIPPED: captures are not read back: %v (apt-get install tshark)", err)
	}
}

// dissected is a packet as tshark reads it.
type dissected struct {
	layers     string
	src, dst   string
	opcode     wire.Opcode
	psn, dstQP uint32
	syndrome   string
	msn        string
	ackReq     bool
}

// dissect has tshark read a capture. The payload is arbitrary bytes, in which
// it must not look for an upper protocol.
func dissect(t *testing.T, file string) []dissected {
	t.Helper()
	args := []string{"-r", file, "--disable-protocol", "rpcordma", "-T", "fields", "-E", "separator=|"}
	for _, f := range []string{
		"frame.protocols", "ip.src", "ipv6.src", "ip.dst", "ipv6.dst", "udp.dstport", "infiniband.bth.opcode", "infiniband.bth.psn",
		"infiniband.bth.destqp", "infiniband.bth.a", "infiniband.aeth.syndrome", "infiniband.aeth.msn", "_ws.malformed",
	} {
		args = append(args, "-e", f)
	}
	out, err := exec.CommandContext(t.Context(), "tshark", args...).Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	var packets []dissected
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "|")
		if len(f) != 13 || f[12] != "" || f[5] != strconv.Itoa(wire.Port) {
			t.Fatalf("packet %d is malformed or none of ours: %q", len(packets), line)
		}
		packets = append(packets, dissected{
			layers: f[0], src: f[1] + f[2], dst: f[3] + f[4], opcode: wire.Opcode(number(t, f[6])),
			psn: number(t, f[7]), dstQP: number(t, f[8]), ackReq: f[9] == "1" || f[9] == "True", syndrome: f[10], msn: f[11],
		})
	}
	return packets
}

func number(t *testing.T, s string) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(s, 0, 32)
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	return uint32(n)
}

// gidArgs returns the options that choose the GID of an address: by its index
// in the table, or as the only address where this machine has it not.
func gidArgs(t *testing.T, addr string) []string {
	t.Helper()
	_, out, _ := command(t, "devices", "--json")
	var views []deviceView
	if err := json.Unmarshal([]byte(out), &views); err != nil {
		t.Fatal(err)
	}
	for _, g := range views[len(views)-1].Ports[0].GIDs {
		if g.IP == addr {
			return []string{"-d", "soft0", "-g", strconv.Itoa(g.Index)}
		}
	}
	return []string{"-d", "soft0?addr=" + addr, "-g", "0"}
}

// captured runs auto with --pcap and returns its packets and its document.
func captured(t *testing.T, args ...string) ([]dissected, autoDoc) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.pcapng")
	args = append([]string{"auto", "--json", "-p", freePort(t), "--pcap", file}, args...)
	status, out, stderr := command(t, args...)
	var doc autoDoc
	if err := json.Unmarshal([]byte(out), &doc); err != nil || status != exitOK || len(doc.Ends) != 2 {
		t.Fatalf("%q: status %d, %v, %s%s", args, status, err, out, stderr)
	}
	return dissect(t, file), doc
}

// A run is on the wire what the specification says: each message is FIRST,
// MIDDLE, MIDDLE, LAST with the PSNs from the starting one on, the last asks
// for an ACK, and the ACKs are for last packets, up to the last of all.
func TestCapture(t *testing.T) {
	needTshark(t)
	for _, addr := range []string{"127.0.0.1", "::1"} {
		t.Run(addr, func(t *testing.T) {
			packets, doc := captured(t, append(gidArgs(t, addr), "-s", "4096", "-n", "2")...)
			layers := map[bool]string{true: "eth:ethertype:ip:udp:infiniband", false: "eth:ethertype:ipv6:udp:infiniband"}[netip.MustParseAddr(addr).Is4()]
			for i, p := range packets {
				if p.layers != layers && p.layers != layers+":data" || p.src != addr || p.dst != addr {
					t.Errorf("packet %d is %+v", i, p)
				}
			}
			for _, e := range doc.Ends {
				assertMessages(t, e.Role, packets, number(t, e.Addresses.Local.PSN), number(t, e.Addresses.Remote.QPN), number(t, e.Addresses.Local.QPN))
			}
		})
	}
}

// assertMessages asserts the packets of the two messages an end sends: from
// its starting PSN to its peer, and the ACKs that come to it.
func assertMessages(t *testing.T, end steps.Role, packets []dissected, psn, peer, self uint32) {
	t.Helper()
	var got, want []string
	var acked []uint32
	for _, p := range packets {
		switch {
		case p.dstQP == peer && p.opcode != wire.OpAck:
			got = append(got, fmt.Sprintf("%v %#x %v", p.opcode, p.psn, p.ackReq))
		case p.dstQP == self && p.opcode == wire.OpAck:
			acked = append(acked, p.psn)
			if n := strconv.Itoa(len(acked)); len(acked) > 2 || (p.psn == psn+7 && p.msn != "2") || (p.psn == psn+3 && p.msn != "1") {
				t.Errorf("%s: ACK %s is %+v", end, n, p)
			}
		case p.dstQP != peer && p.dstQP != self:
			t.Errorf("%s: a packet to nobody: %+v", end, p)
		}
	}
	ops := []wire.Opcode{wire.OpSendFirst, wire.OpSendMiddle, wire.OpSendMiddle, wire.OpSendLast}
	for i := range uint32(8) {
		want = append(want, fmt.Sprintf("%v %#x %v", ops[i%4], (psn+i)&wire.PSNMask, i%4 == 3))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s sends\n%q, want\n%q", end, got, want)
	}
	last := (psn + 7) & wire.PSNMask
	if len(acked) == 0 || acked[len(acked)-1] != last || (len(acked) == 2 && acked[0] != (psn+3)&wire.PSNMask) {
		t.Errorf("%s: the ACKs are for %x, want %x last", end, acked, last)
	}
}

// The sizes around a packet, and odd ones, which need padding.
func TestCaptureOfSizes(t *testing.T) {
	needTshark(t)
	for size, want := range map[int][]wire.Opcode{
		1:    {wire.OpSendOnly},
		1023: {wire.OpSendOnly},
		1024: {wire.OpSendOnly},
		1025: {wire.OpSendFirst, wire.OpSendLast},
	} {
		packets, doc := captured(t, "-d", "soft0", "-n", "1", "-s", strconv.Itoa(size))
		var got []wire.Opcode
		for _, p := range packets {
			if p.dstQP == number(t, doc.Ends[1].Addresses.Remote.QPN) && p.opcode != wire.OpAck {
				got = append(got, p.opcode)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d bytes are sent as %v, want %v", size, got, want)
		}
	}
}

// A walk records too, and its text tells of the same packets.
func TestCaptureOfWalk(t *testing.T) {
	needTshark(t)
	file := filepath.Join(t.TempDir(), "walk.pcapng")
	status, out, stderr := command(t, "walk", "-d", "soft0", "--brief", "--pause", "never", "-n", "1", "-p", freePort(t), "--pcap", file)
	if status != exitOK {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for i, p := range dissect(t, file) {
		line := fmt.Sprintf("packet: → QP 0x%06x  %v  PSN 0x%06x", p.dstQP, p.opcode, p.psn)
		if !strings.Contains(out, line) {
			t.Errorf("packet %d is not told of: %s", i, line)
		}
	}
}
