//go:build !lab

package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ibtour/tui"
	"ibtour/verbs"
	"ibtour/verbs/capture"
	"ibtour/verbs/kernel"
	"ibtour/verbs/softroce"
	"ibtour/verbs/trace"
)

// machine stands for the devices of a kernel: soft devices by other names.
type machine struct {
	names []string
	down  bool // no address: a port without a RoCE v2 GID
	err   error
}

func (k *machine) DeviceList() (verbs.List, error) { return k, k.err }
func (k *machine) Free()                           {}

func (k *machine) Devices() (infos []verbs.DeviceInfo) {
	for _, n := range k.names {
		infos = append(infos, verbs.DeviceInfo{Name: n, NodeType: verbs.NodeCA, Transport: "IB", GUID: 0x0002c90300001234})
	}
	return infos
}

func (k *machine) Open(i int) (verbs.DriverContext, error) {
	list, err := softroce.New(softroce.Options{Name: k.names[i]}).DeviceList()
	if err != nil {
		return nil, err
	}
	c, err := list.Open(0)
	if k.down {
		c = portDown{c}
	}
	return c, err
}

// portDown is a device whose port is down.
type portDown struct{ verbs.DriverContext }

func (p portDown) QueryPort(n uint8) (verbs.PortAttr, error) {
	a, err := p.DriverContext.QueryPort(n)
	a.State, a.PhysState, a.ActiveSpeed = verbs.PortDown, verbs.PhysDisabled, 255
	return a, err
}

// commandOn is command on a machine with these devices; err is why there is no
// way to them.
func commandOn(t *testing.T, k *machine, err error, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	a := &app{in: strings.NewReader(""), out: &out, err: &errs, drivers: func() (verbs.Driver, error) { return k, err }, driverOf: driverOf}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	status = a.exit(root.ExecuteContext(context.Background()))
	return status, out.String(), errs.String()
}

var errNoLibrary = errors.New("libibverbs not found")

func TestDevices(t *testing.T) {
	for _, c := range []struct {
		name    string
		kernel  machine
		err     error
		devices string
		says    []string
	}{
		{"no library", machine{}, errNoLibrary, "soft0", []string{"libibverbs not found"}},
		{"no RDMA", machine{err: syscall.ENOSYS}, nil, "soft0", []string{"this kernel has no RDMA"}},
		{"no device", machine{}, nil, "soft0", []string{"no RDMA device was found", "rdma link add"}},
		{"two", machine{names: []string{"mlx5_0", "rxe0"}}, nil, "mlx5_0 rxe0 soft0", []string{"GUID 0002:c903:0000:1234", "ping-pong    usable"}},
		{"down", machine{names: []string{"rxe0"}, down: true}, nil, "rxe0 soft0", []string{
			"IBV_PORT_DOWN, physically Disabled", "ping-pong    not usable: ", "rate         unknown (width code 1, speed code 255)",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, stderr := commandOn(t, &c.kernel, c.err, "devices")
			if status != exitOK || stderr != "" {
				t.Errorf("status %d, %q", status, stderr)
			}
			for _, s := range c.says {
				if !strings.Contains(out, s) {
					t.Errorf("no %q in\n%s", s, out)
				}
			}
			_, out, _ = commandOn(t, &c.kernel, c.err, "devices", "--json")
			var views []deviceView
			if err := json.Unmarshal([]byte(out), &views); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var names []string
			for _, v := range views {
				names = append(names, v.Name)
				if len(v.Ports) != 1 || len(v.Ports[0].GIDs) == 0 || v.Ports[0].MaxMTU != 4096 {
					t.Errorf("%s has %+v", v.Name, v.Ports)
				}
			}
			if got := strings.Join(names, " "); got != c.devices {
				t.Errorf("the devices are %s, want %s", got, c.devices)
			}
			if soft := views[len(views)-1]; soft.Unusable != "" || soft.Ports[0].Unusable != "" {
				t.Errorf("soft0 is not usable: %+v", soft)
			}
		})
	}
}

// Without -d the first device that is usable runs; where there is none, soft0
// does and says why.
func TestChosenDevice(t *testing.T) {
	for _, c := range []struct {
		name   string
		kernel machine
		err    error
		device string
		note   string
	}{
		{"no library", machine{}, errNoLibrary, "soft0", "using soft0, the RoCE v2 device inside ibtour: libibverbs not found"},
		{"no RDMA", machine{err: syscall.ENOSYS}, nil, "soft0", "using soft0, the RoCE v2 device inside ibtour: this kernel has no RDMA"},
		{"no device", machine{}, nil, "soft0", "using soft0, the RoCE v2 device inside ibtour: no RDMA device was found"},
		{"down", machine{names: []string{"rxe0"}, down: true}, nil, "soft0", "using soft0, the RoCE v2 device inside ibtour: rxe0 is not usable: "},
	} {
		status, out, stderr := commandOn(t, &c.kernel, c.err, "auto", "--json", "-n", "3", "-p", freePort(t))
		var doc autoDoc
		if err := json.Unmarshal([]byte(out), &doc); err != nil || status != exitOK {
			t.Fatalf("%s: status %d, %v\n%s%s", c.name, status, err, out, stderr)
		}
		if doc.Device != c.device || !strings.HasPrefix(doc.Note, c.note) {
			t.Errorf("%s: device %q, note %q, want %q, %q", c.name, doc.Device, doc.Note, c.device, c.note)
		}
	}
	f := &flags{}
	f.opts.IBPort = 1
	a := &app{drivers: func() (verbs.Driver, error) { return &machine{names: []string{"mlx5_0", "rxe0"}}, nil }}
	if c, err := a.choose(f, nil); err != nil || f.opts.Device != "mlx5_0" || c.why != "" {
		t.Errorf("the device is %q, %v", f.opts.Device, err)
	}
	f.opts.Device, f.opts.IBPort = "", 2
	if c, err := a.choose(f, nil); err != nil || f.opts.Device != "soft0" || !strings.Contains(c.why, "mlx5_0 is not usable: mlx5_0 has no port 2") {
		t.Errorf("the device is %q, %v, %+v", f.opts.Device, err, c)
	}
}

// The tour says why it offers the embedded device first, unless that was asked
// for or a device of the kernel can be used.
func TestTourOffers(t *testing.T) {
	for _, c := range []struct {
		name, device string
		kernel       machine
		note         string
	}{
		{"no RDMA", "", machine{err: syscall.ENOSYS}, "using soft0, the RoCE v2 device inside ibtour: this kernel has no RDMA"},
		{"down", "", machine{names: []string{"rxe0"}, down: true}, "using soft0, the RoCE v2 device inside ibtour: rxe0 is not usable: "},
		{"asked for", "soft0", machine{err: syscall.ENOSYS}, ""},
		{"usable", "", machine{names: []string{"rxe0"}}, ""},
	} {
		f := &flags{}
		f.opts.IBPort, f.opts.Device = 1, c.device
		a := &app{lang: "en", drivers: func() (verbs.Driver, error) { return &c.kernel, nil }, driverOf: driverOf}
		offered, err := a.tourDevices(f)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		i := slices.IndexFunc(offered, func(d tui.Device) bool { return d.Soft })
		if got := offered[i].Note; !strings.HasPrefix(got, c.note) || (got == "") != (c.note == "") {
			t.Errorf("%s: the note is %q, want %q", c.name, got, c.note)
		}
	}
}

// driverOf is kernel.ReadDriver for the devices of these tests.
func driverOf(device string) (kernel.Driver, error) {
	switch strings.TrimRight(device, "0123456789") {
	case "rxe":
		return kernel.DriverRXE, nil
	case "mlx5_":
		return 1, nil
	}
	return 0, verbs.ErrNoDevice
}

// What a user may record goes into the file of the option, or says why not.
func TestCapturable(t *testing.T) {
	a := &app{driverOf: driverOf, lang: "en"}
	f := &flags{server: true}
	f.opts.Device = "rxe0"
	c := a.capturable(f)
	switch err := capture.Permitted(); {
	case err == nil:
		if c.State != "" || c.Driver != "rxe" {
			t.Errorf("a server on rxe0: %+v", c)
		}
	case errors.Is(err, syscall.EPERM):
		if text := a.say().captureText(c); c.State != trace.CaptureRefused || !strings.Contains(text, "sudo setcap cap_net_raw+ep ") {
			t.Errorf("a server on rxe0 that may not capture: %+v, %q", c, text)
		}
	default:
		if c.State != trace.CaptureFailed {
			t.Errorf("a server on rxe0 where nobody can capture: %+v", c)
		}
	}
}

func TestRefusedDevices(t *testing.T) {
	one := machine{names: []string{"rxe0"}}
	file := filepath.Join(t.TempDir(), "x.pcapng")
	for _, c := range []struct {
		name   string
		kernel machine
		err    error
		args   []string
		status int
		says   string
	}{
		{"unknown", one, nil, []string{"auto", "-d", "mlx9"}, exitNoDevice, `"mlx9": no such device; there is: rxe0`},
		{"no library", machine{}, errNoLibrary, []string{"walk", "-d", "rxe0"}, exitNoDevice, "no usable RDMA device: libibverbs not found"},
		{"no RDMA", machine{err: syscall.ENOSYS}, nil, []string{"auto", "-d", "rxe0"}, exitNoDevice, "this kernel has no RDMA"},
		{
			"capture within Soft-RoCE", one, nil,
			[]string{"auto", "-d", "rxe0", "--pcap", file},
			exitUsage,
			"--pcap: both ends are on rxe0, whose driver hands the packets over itself: they pass no network device",
		},
		{"capture of the chosen one", one, nil, []string{"walk", "--pcap", file}, exitUsage, "--pcap: both ends are on rxe0, "},
		{
			"capture of an adapter",
			machine{names: []string{"mlx5_0"}},
			nil,
			[]string{"auto", "--server", "-d", "mlx5_0", "--pcap", file},
			exitUsage,
			"--pcap: mlx5_0 is driven by mlx5: its packets are made by the adapter and pass no network device",
		},
		{
			"capture of who knows what",
			machine{names: []string{"other0"}},
			nil,
			[]string{"auto", "--server", "-d", "other0", "--pcap", file},
			exitUsage,
			"--pcap: the packets of other0 cannot be captured: no such device",
		},
	} {
		status, _, stderr := commandOn(t, &c.kernel, c.err, c.args...)
		if status != c.status || !strings.Contains(stderr, c.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %d, %q", c.name, status, stderr, c.status, c.says)
		}
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a capture that is refused leaves a file: %v", err)
	}
}
