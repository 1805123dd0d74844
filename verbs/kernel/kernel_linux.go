package kernel

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/mdlayher/netlink"
)

// dial opens RDMA netlink. The kernel loads ib_core for it where it can.
func dial() (*conn, error) {
	c, err := netlink.Dial(familyRDMA, nil)
	switch {
	case errors.Is(err, syscall.EPROTONOSUPPORT), errors.Is(err, syscall.EAFNOSUPPORT):
		return nil, ErrNoRDMA
	case err != nil:
		return nil, netlinkError("opening it", err)
	}
	return &conn{nl: c}, nil
}

func sysRoot() (fs.FS, error) { return os.DirFS("/sys"), nil }

func procRoot() (fs.FS, error) { return os.DirFS("/proc"), nil }
