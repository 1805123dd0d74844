//go:build !linux

package kernel

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"runtime"
)

var errOS = fmt.Errorf("RDMA devices of the kernel are read on Linux only, this is %s: %w",
	runtime.GOOS, errors.ErrUnsupported)

func dial() (*conn, error)     { return nil, errOS }
func sysRoot() (fs.FS, error)  { return nil, errOS }
func procRoot() (fs.FS, error) { return nil, errOS }

// ReadNetdev returns an error: it works on Linux only.
func ReadNetdev(string) (Netdev, error) { return Netdev{}, errOS }

// RouteSource returns an error: it works on Linux only.
func RouteSource(netip.Addr) (src netip.Addr, ifname string, err error) {
	return netip.Addr{}, "", errOS
}
