package softroce

import (
	"encoding/binary"
	"io"

	"ibtour/verbs"
)

// newKeys draws the keys of a region. They differ, so that a program that
// mixes them up fails here too, and are hard to guess, since the rkey is all
// that keeps a peer with a connection from other regions of the domain.
func (d *device) newKeys() (verbs.KeyPair, error) {
	if d.opts.Quirks == QuirksRXE {
		return d.rxeKeys()
	}
	for {
		l, err := d.random()
		if err != nil {
			return verbs.KeyPair{}, err
		}
		r, err := d.random()
		if err != nil {
			return verbs.KeyPair{}, err
		}
		k := verbs.KeyPair{LKey: verbs.LKey(l), RKey: verbs.RKey(r)}
		if l != r && l != 0 && r != 0 && d.lkeys[k.LKey] == nil && d.rkeys[k.RKey] == nil {
			return k, nil
		}
	}
}

// rxeKeys makes keys as rxe does: one number for both, an index in 24 bits and
// 8 random bits.
func (d *device) rxeKeys() (verbs.KeyPair, error) {
	low, err := d.random()
	if err != nil {
		return verbs.KeyPair{}, err
	}
	for {
		d.nextKey++
		k := d.nextKey<<8 | low&0xFF
		if k>>8 != 0 && d.lkeys[verbs.LKey(k)] == nil {
			return verbs.KeyPair{LKey: verbs.LKey(k), RKey: verbs.RKey(k)}, nil
		}
	}
}

func (d *device) random() (uint32, error) {
	var b [4]byte
	if _, err := io.ReadFull(d.opts.rand(), b[:]); err != nil {
		return 0, err
	}
	return binary.NativeEndian.Uint32(b[:]), nil
}

// newQPN returns a queue pair number that neither lives nor lingers.
func (d *device) newQPN() verbs.QPN {
	for {
		d.lastQPN++
		if d.lastQPN < firstQPN || d.lastQPN > lastQPN {
			d.lastQPN = firstQPN
		}
		if n := d.lastQPN; d.qps[n] == nil && d.ghosts[n] == nil {
			return n
		}
	}
}
