package main

import (
	"fmt"
	"net"

	"ibtour/steps"
	"ibtour/verbs"
)

// deviceView is what can be said of a device without running anything on it.
type deviceView struct {
	Name      string     `json:"name"`
	NodeType  string     `json:"node_type"`
	Transport string     `json:"transport"`
	GUID      string     `json:"node_guid,omitempty"`
	Firmware  string     `json:"firmware,omitempty"`
	Ports     []portView `json:"ports"`
	Unusable  string     `json:"unusable,omitempty"` // why no ping-pong runs on it
}

// portView is one port of a device.
type portView struct {
	Number    int       `json:"port"`
	State     string    `json:"state"`
	Phys      string    `json:"physical_state"`
	LinkLayer string    `json:"link_layer"`
	Rate      string    `json:"rate"`
	LID       string    `json:"lid"`
	ActiveMTU int       `json:"active_mtu"`
	MaxMTU    int       `json:"max_mtu"`
	GIDs      []gidView `json:"gids"`
	Unusable  string    `json:"unusable,omitempty"`
}

// gidView is one entry of a GID table.
type gidView struct {
	Index  int    `json:"index"`
	GID    string `json:"gid"`
	Type   string `json:"type"`
	Netdev string `json:"netdev,omitempty"`
	IP     string `json:"ip,omitempty"`
	Usable bool   `json:"usable"`
}

func (d deviceView) port(lang string, n int) portView {
	for _, p := range d.Ports {
		if p.Number == n {
			return p
		}
	}
	return portView{Unusable: wordingIn(lang).noPort.With(d.Name, n)}
}

func (p portView) usable() bool { return p.Unusable == "" }

// inspect opens a device for a moment and looks at it.
func inspect(lang string, list *verbs.DeviceList, info verbs.DeviceInfo) deviceView {
	v := deviceView{Name: info.Name, NodeType: info.NodeType.String(), Transport: info.Transport}
	if info.GUID != 0 {
		v.GUID = info.GUID.String()
	}
	c, err := list.Open(info.Name)
	if err != nil {
		v.Unusable = err.Error()
		return v
	}
	defer c.Close() //nolint:errcheck // nothing was made on it
	attr, err := c.QueryDevice()
	if err != nil {
		v.Unusable = err.Error()
		return v
	}
	v.Firmware = attr.FWVer
	for n := 1; n <= int(attr.PhysPortCnt); n++ {
		v.Ports = append(v.Ports, inspectPort(lang, c, n))
	}
	if err := steps.UsableDevice(lang, info); err != nil {
		v.refuse(err.Error())
	}
	return v
}

// refuse marks the device and all its ports as unusable.
func (d *deviceView) refuse(why string) {
	d.Unusable = why
	for i := range d.Ports {
		d.Ports[i].Unusable = why
	}
}

func inspectPort(lang string, c *verbs.Context, n int) portView {
	v, say := portView{Number: n}, wordingIn(lang)
	a, err := c.PeekPort(uint8(n))
	if err != nil {
		v.Unusable = err.Error()
		return v
	}
	v.State, v.Phys, v.LinkLayer = a.State.String(), a.PhysState.String(), a.LinkLayer.String()
	v.Rate, v.LID = say.rateOf(&a), say.lidOf(&a)
	v.ActiveMTU, v.MaxMTU = a.ActiveMTU.Bytes(), a.MaxMTU.Bytes()
	table, err := c.PeekGIDs(uint8(n))
	if err != nil {
		v.Unusable = err.Error()
		return v
	}
	usable := 0
	for _, g := range table {
		gv := viewGID(g, a.LinkLayer)
		if gv.Usable {
			usable++
		}
		v.GIDs = append(v.GIDs, gv)
	}
	if err := steps.UsablePort(lang, c.Name(), n, &a); err != nil {
		v.Unusable = err.Error()
	} else if a.LinkLayer == verbs.LinkEthernet && usable == 0 {
		v.Unusable = say.noGID.With()
	}
	return v
}

func viewGID(g verbs.GIDEntry, link verbs.LinkLayer) gidView {
	v := gidView{Index: g.Index, GID: g.GID.String(), Type: gidTypeText(g.Type)}
	if ifi, err := net.InterfaceByIndex(g.NetdevIndex); err == nil {
		v.Netdev = ifi.Name
	}
	if g.Type == verbs.GIDTypeRoCEv2 {
		v.IP = g.GID.Addr().String()
	}
	v.Usable = g.Type == verbs.GIDTypeRoCEv2 || link == verbs.LinkInfiniBand
	return v
}

func gidTypeText(t verbs.GIDType) string {
	return map[verbs.GIDType]string{
		verbs.GIDTypeIB: "InfiniBand", verbs.GIDTypeRoCEv1: "RoCE v1", verbs.GIDTypeRoCEv2: "RoCE v2",
	}[t]
}

// lidOf says what a LID means on this port.
func (w *wording) lidOf(a *verbs.PortAttr) string {
	switch {
	case a.LinkLayer == verbs.LinkEthernet:
		return w.noLID
	case a.LID == 0:
		return w.lidUnset
	}
	return w.lid.With(uint16(a.LID), uint16(a.SMLID))
}

// rateOf multiplies the width of a link by the signalling rate of a lane
// (IBTA vol. 1, 14.2.5.6; ibv_query_port(3)).
func (w *wording) rateOf(a *verbs.PortAttr) string {
	lanes := map[uint8]int{1: 1, 2: 4, 4: 8, 8: 12, 16: 2}[a.ActiveWidth]
	lane := map[uint8]float64{1: 2.5, 2: 5, 4: 10, 8: 10, 16: 14, 32: 25, 64: 50, 128: 100}[a.ActiveSpeed]
	if lanes == 0 || lane == 0 {
		return w.rateUnknown.With(a.ActiveWidth, a.ActiveSpeed)
	}
	return fmt.Sprintf("%g Gbit/s (%dX at %g)", float64(lanes)*lane, lanes, lane)
}
