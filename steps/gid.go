package steps

import (
	"net/netip"
	"syscall"

	"ibtour/verbs"
)

// chooseGID returns the index of the GID to use, below 0 for none, and why.
// The original uses none unless told, which on Ethernet fails at RTR.
func (e *End) chooseGID() (index int, why string, err error) {
	if e.Opts.GIDIdx >= 0 {
		return e.Opts.GIDIdx, e.say().gidAsked.With(e.Opts.GIDIdx), nil
	}
	if e.Port.LinkLayer != verbs.LinkEthernet {
		return -1, "", nil
	}
	table, err := e.Context.PeekGIDs(uint8(e.Opts.IBPort))
	if err != nil {
		return -1, "", err
	}
	var peer netip.Addr
	if e.Peer != nil {
		if e.Peer.GID.IsZero() {
			return -1, "", e.say().noPeerGID.Err()
		}
		peer = e.Peer.GID.Addr()
	}
	local := e.localAddr()
	best := bestGID(table, local, peer)
	if best == nil {
		return -1, "", e.say().noGID.Err(e.Context.Name(), e.Opts.IBPort)
	}
	return best.Index, e.say().reasonFor(best, local, peer), nil
}

// bestGID chooses among the RoCE v2 entries of a table: of the peer's address
// family where that is known, and best the address that the connection to the
// peer uses.
func bestGID(table []verbs.GIDEntry, local, peer netip.Addr) *verbs.GIDEntry {
	var best *verbs.GIDEntry
	rank := 0
	for i := range table {
		g := &table[i]
		if r := rankGID(g, local, peer); r > rank {
			best, rank = g, r
		}
	}
	return best
}

// reasonFor says why an entry was chosen.
func (w *wording) reasonFor(g *verbs.GIDEntry, local, peer netip.Addr) string {
	switch {
	case g.GID.Addr() == local:
		return w.gidLocal.With(g.Index, g.GID)
	case peer.IsValid():
		return w.gidPeer.With(g.Index, g.GID, peer)
	}
	return w.gidBest.With(g.Index, g.GID)
}

// rankGID returns how well an entry serves; 0 means not at all.
func rankGID(g *verbs.GIDEntry, local, peer netip.Addr) int {
	a := g.GID.Addr()
	switch {
	case g.Type != verbs.GIDTypeRoCEv2,
		peer.IsValid() && (a.Is4() != peer.Is4() || a.IsLinkLocalUnicast() != peer.IsLinkLocalUnicast()):
		return 0
	case a == local:
		return 5
	case local.IsValid() && a.Is4() == local.Is4() && !a.IsLinkLocalUnicast():
		return 4
	case a.Is4():
		return 3
	case !a.IsLinkLocalUnicast():
		return 2
	}
	return 1
}

// localAddr is the address of this end of the connection to the peer, without
// a zone; none if it is a loopback address, which says nothing about networks.
func (e *End) localAddr() netip.Addr {
	if e.conn == nil {
		return netip.Addr{}
	}
	a := e.conn.LocalAddr().Addr().Unmap().WithZone("")
	if a.IsLoopback() {
		return netip.Addr{}
	}
	return a
}

// withGIDs explains a refused index.
func withGIDs(err error, e *End) error {
	text := e.say().emptyGID.With(e.Opts.GIDIdx, e.Context.Name(), e.Opts.IBPort)
	err = hint(err, syscall.ENODATA, text)
	return hint(err, syscall.EINVAL, text)
}

// addRoute completes the peer's address. With a GID the packets carry a global
// route header; on RoCE v2 it becomes the IP header.
func (e *End) addRoute(ah *verbs.AHAttr) error {
	ethernet := e.Port.LinkLayer == verbs.LinkEthernet
	switch {
	case ethernet && e.Peer.GID.IsZero():
		return e.say().noPeerGID.Err()
	case e.Peer.GID.IsZero():
		return nil
	case e.GID == nil:
		return e.say().oneGID.Err()
	case e.alone && e.Context.Info().UVerbs == "" && e.Peer.GID == e.GID.GID:
		return e.say().sameAddress.Err(e.Context.Name())
	}
	ah.IsGlobal = true
	ah.GRH = verbs.GlobalRoute{DGID: e.Peer.GID, SGIDIndex: uint8(e.GID.Index), HopLimit: 1}
	return nil
}
