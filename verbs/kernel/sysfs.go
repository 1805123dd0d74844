package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"ibtour/verbs"
)

// portDir returns the sysfs tree to read, that of this machine for nil, and
// the folder of a port in it.
func portDir(sys fs.FS, dev string, port int) (fs.FS, string, error) {
	if sys == nil {
		var err error
		if sys, err = sysRoot(); err != nil {
			return nil, "", err
		}
	}
	if dev == "" || strings.ContainsRune(dev, '/') {
		return nil, "", fmt.Errorf("RDMA device %q: %w", dev, verbs.ErrNoDevice)
	}
	dir := path.Join("class/infiniband", dev, "ports", strconv.Itoa(port))
	_, err := fs.Stat(sys, dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = verbs.ErrNoDevice
	}
	if err != nil {
		return nil, "", fmt.Errorf("port %d of RDMA device %q: %w", port, dev, err)
	}
	return sys, dir, nil
}

// readText reads a file of one line.
func readText(sys fs.FS, file string) (string, error) {
	b, err := fs.ReadFile(sys, file)
	return strings.TrimSpace(string(b)), err
}
