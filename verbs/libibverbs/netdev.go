//go:build linux && !android && (amd64 || arm64)

package libibverbs

import (
	"net"
	"os"
	"strings"
)

// netdevIndex returns the index of the interface that a file of sysfs names,
// 0 if there is none.
func netdevIndex(file string) uint32 {
	name, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	ifc, err := net.InterfaceByName(strings.TrimSpace(string(name)))
	if err != nil {
		return 0
	}
	return uint32(ifc.Index)
}
