package kernel

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/netip"
	"path"
	"slices"
	"strconv"

	"ibtour/verbs"
)

// GIDEntry is an entry of a port's GID table that is in use.
type GIDEntry struct {
	Index int
	GID   verbs.GID
	Type  verbs.GIDType
	// TypeText is the kernel's word, which is the same for the first two types:
	// "IB/RoCE v1" or "RoCE v2".
	TypeText string
	// Netdev is the network device that the address belongs to, empty on
	// InfiniBand.
	Netdev string
}

// ReadGIDs returns the entries of a port's GID table that are in use, by index.
// It reads a file for every entry of the table, of which Soft-RoCE has 1024, and
// takes tens of milliseconds: to look at one entry again, use ReadGID. sys is a
// sysfs tree, nil for that of this machine. The error wraps verbs.ErrNoDevice when there is no such port.
func ReadGIDs(sys fs.FS, dev string, port int) ([]GIDEntry, error) {
	sys, dir, err := portDir(sys, dev, port)
	if err != nil {
		return nil, err
	}
	files, err := fs.ReadDir(sys, path.Join(dir, "gids"))
	if err != nil {
		return nil, err
	}
	var all []GIDEntry
	for _, f := range files {
		index, err := strconv.Atoi(f.Name())
		if err != nil {
			continue
		}
		if e, err := readGID(sys, dir, index); err == nil {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b GIDEntry) int { return cmp.Compare(a.Index, b.Index) })
	return all, nil
}

// ReadGID returns one entry of a port's GID table. The error wraps
// fs.ErrNotExist when the entry is empty or past the end of the table, and is
// otherwise as that of ReadGIDs.
func ReadGID(sys fs.FS, dev string, port, index int) (GIDEntry, error) {
	sys, dir, err := portDir(sys, dev, port)
	if err != nil {
		return GIDEntry{}, err
	}
	return readGID(sys, dir, index)
}

func readGID(sys fs.FS, dir string, index int) (GIDEntry, error) {
	n := strconv.Itoa(index)
	empty := fmt.Errorf("GID %d: %w", index, fs.ErrNotExist)
	text, err := readText(sys, path.Join(dir, "gids", n))
	if err != nil {
		return GIDEntry{}, fmt.Errorf("GID %d: %w", index, err)
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return GIDEntry{}, fmt.Errorf("GID %d: %w", index, err)
	}
	e := GIDEntry{Index: index, GID: addr.As16()}
	if e.GID.IsZero() {
		return GIDEntry{}, empty
	}
	// Reading the attributes of an empty entry gives EINVAL: it has just gone.
	if e.TypeText, err = readText(sys, path.Join(dir, "gid_attrs/types", n)); err != nil {
		return GIDEntry{}, empty
	}
	e.Type = gidType(sys, dir, e.TypeText)
	e.Netdev, err = readText(sys, path.Join(dir, "gid_attrs/ndevs", n))
	if err != nil {
		e.Netdev = "" // EINVAL: none
	}
	return e, nil
}

func gidType(sys fs.FS, dir, text string) verbs.GIDType {
	if text == "RoCE v2" {
		return verbs.GIDTypeRoCEv2
	}
	layer, err := readText(sys, path.Join(dir, "link_layer"))
	if err == nil && layer == "Ethernet" {
		return verbs.GIDTypeRoCEv1
	}
	return verbs.GIDTypeIB
}
