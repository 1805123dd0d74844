package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"ibtour/verbs"
)

const portPath = "class/infiniband/mlx5_0/ports/1/"

// sysFS is a sysfs in which reading some files fails, as that of the kernel does.
type sysFS struct {
	fstest.MapFS
	fails map[string]syscall.Errno // by the end of the path
}

func (s sysFS) Open(name string) (fs.File, error) {
	for end, errno := range s.fails {
		if strings.HasSuffix(name, end) {
			return nil, &fs.PathError{Op: "read", Path: name, Err: errno}
		}
	}
	return s.MapFS.Open(name)
}

func (s sysFS) ReadFile(name string) ([]byte, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	_ = f.Close()
	return s.MapFS.ReadFile(name)
}

func sysOf(files map[string]string) fstest.MapFS {
	sys := fstest.MapFS{}
	for name, text := range files {
		sys[portPath+name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	return sys
}

func TestReadPortCounters(t *testing.T) {
	sys := sysFS{sysOf(map[string]string{
		"counters/port_xmit_data":    "2048",
		"counters/port_rcv_data":     "18446744073709551615",
		"counters/VL15_dropped":      "N/A (no PMA)",
		"counters/symbol_error":      "7",
		"hw_counters/lifespan":       "10",
		"hw_counters/out_of_buffer":  "3",
		"hw_counters/rnr_nak_errors": "0",
	}), map[string]syscall.Errno{"symbol_error": syscall.EINVAL}}
	got, err := ReadPortCounters(sys, "mlx5_0", 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Counter{{"port_rcv_data", 1<<64 - 1}, {"port_xmit_data", 2048}}; !slices.Equal(got.Port, want) {
		t.Errorf("port counters %v, want %v", got.Port, want)
	}
	if want := []Counter{{"out_of_buffer", 3}, {"rnr_nak_errors", 0}}; !slices.Equal(got.HW, want) {
		t.Errorf("hardware counters %v, want %v", got.HW, want)
	}
}

func TestReadPortCountersMissing(t *testing.T) {
	sys := sysOf(map[string]string{"state": "4: ACTIVE"})
	if got, err := ReadPortCounters(sys, "mlx5_0", 1); err != nil || got.Port != nil || got.HW != nil {
		t.Errorf("port without counters: %v, %v", got, err)
	}
	for _, dev := range []string{"mlx5_1", "", "..", "a/b", "mlx5_0/ports"} {
		if _, err := ReadPortCounters(sys, dev, 1); !errors.Is(err, verbs.ErrNoDevice) {
			t.Errorf("device %q: %v", dev, err)
		}
	}
	if _, err := ReadPortCounters(sys, "mlx5_0", 2); !errors.Is(err, verbs.ErrNoDevice) || !strings.Contains(err.Error(), "port 2") {
		t.Errorf("port 2: %v", err)
	}
}

// gidTable has four places: an address, nothing, an address, and one that goes
// while it is read.
func gidTable(layer, kind string) sysFS {
	return sysFS{sysOf(map[string]string{
		"link_layer":         layer,
		"gids/0":             "fe80:0000:0000:0000:0000:00ff:fe00:0001",
		"gids/1":             "0000:0000:0000:0000:0000:0000:0000:0000",
		"gids/2":             "0000:0000:0000:0000:0000:ffff:0a00:0001",
		"gids/10":            "fd00:0000:0000:0000:0000:0000:0000:0001",
		"gid_attrs/types/0":  kind,
		"gid_attrs/types/2":  "RoCE v2",
		"gid_attrs/types/10": "",
		"gid_attrs/ndevs/2":  "v0",
		"gid_attrs/ndevs/0":  "v0",
	}), map[string]syscall.Errno{
		"types/1": syscall.EINVAL, "ndevs/1": syscall.EINVAL, "types/10": syscall.EINVAL, "ndevs/0": syscall.EINVAL,
	}}
}

func TestReadGIDs(t *testing.T) {
	got, err := ReadGIDs(gidTable("Ethernet", "IB/RoCE v1"), "mlx5_0", 1)
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, e := range got {
		text = append(text, fmt.Sprintf("%d %v %v (%s) %q", e.Index, e.GID, e.Type, e.TypeText, e.Netdev))
	}
	want := []string{
		`0 fe80::ff:fe00:1 IBV_GID_TYPE_ROCE_V1 (IB/RoCE v1) ""`,
		`2 ::ffff:10.0.0.1 IBV_GID_TYPE_ROCE_V2 (RoCE v2) "v0"`,
	}
	if !slices.Equal(text, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(text, "\n"), strings.Join(want, "\n"))
	}
}

func TestReadGID(t *testing.T) {
	sys := gidTable("InfiniBand", "IB/RoCE v1")
	if e, err := ReadGID(sys, "mlx5_0", 1, 0); err != nil || e.Type != verbs.GIDTypeIB {
		t.Errorf("GID 0 of an InfiniBand port: %+v, %v", e, err)
	}
	for _, index := range []int{1, 10, 11, -1} {
		if e, err := ReadGID(sys, "mlx5_0", 1, index); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("empty GID %d: %+v, %v", index, e, err)
		}
	}
}
