package kernel

import (
	"errors"
	"io/fs"
	"path"
	"strconv"
)

// PortCounters are the counters of a port in sysfs, by name.
type PortCounters struct {
	// Port are those of the InfiniBand specification (IBTA vol. 1, 16.1.3.5);
	// port_xmit_data and port_rcv_data count words of four bytes. Soft-RoCE has
	// them only in the newest kernels.
	Port []Counter
	// HW are those of the driver. The kernel repeats old values for as long as
	// the file "lifespan" says (10 ms and more): to compare before and after,
	// use ReadHWCounters.
	HW []Counter
}

// ReadPortCounters reads the folders counters and hw_counters of a port. A
// folder that does not exist gives no counters, and a counter that the device
// refuses to read or that is no number is left out. sys is a sysfs tree, nil
// for that of this machine. The error wraps verbs.ErrNoDevice when there is no
// such port.
func ReadPortCounters(sys fs.FS, dev string, port int) (PortCounters, error) {
	var c PortCounters
	sys, dir, err := portDir(sys, dev, port)
	if err != nil {
		return c, err
	}
	if c.Port, err = readCounters(sys, path.Join(dir, "counters")); err != nil {
		return PortCounters{}, err
	}
	c.HW, err = readCounters(sys, path.Join(dir, "hw_counters"))
	return c, err
}

// ReadIBCounters reads only the folder counters of a port, which is quick where
// the driver has none. Otherwise it is as ReadPortCounters.
func ReadIBCounters(sys fs.FS, dev string, port int) ([]Counter, error) {
	sys, dir, err := portDir(sys, dev, port)
	if err != nil {
		return nil, err
	}
	return readCounters(sys, path.Join(dir, "counters"))
}

func readCounters(sys fs.FS, dir string) ([]Counter, error) {
	files, err := fs.ReadDir(sys, dir) // in the order of names
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []Counter
	for _, f := range files {
		if f.Name() == "lifespan" {
			continue
		}
		text, err := readText(sys, path.Join(dir, f.Name()))
		if err != nil {
			continue
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			all = append(all, Counter{f.Name(), n})
		}
	}
	return all, err
}
