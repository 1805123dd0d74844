package annotations

import "testing"

// sample fills the placeholders of a page with values as long as they get.
func sample(name string) (string, bool) {
	long := map[string]string{
		"qp.dgid": "2001:db8:1234:5678:9abc:def0:1234:5678", "gid.value": "2001:db8:1234:5678:9abc:def0:1234:5678",
		"peer.gid": "2001:db8:1234:5678:9abc:def0:1234:5678", "buffer.addr": "0x7f23d30c8000",
		"port.link_layer": "IBV_LINK_LAYER_INFINIBAND", "port.state": "IBV_PORT_ACTIVE",
		"mr.access": "IBV_ACCESS_LOCAL_WRITE", "device.name": "mlx5_bond_0", "process.pinned_bytes": "1073741824",
		"buffer.length": "1073741824",
	}
	if v, ok := long[name]; ok {
		return v, true
	}
	return "0x00000842", true
}

// TestCoreFits makes sure that the core text of a step can be read without
// scrolling, on a screen of 80 by 24.
func TestCoreFits(t *testing.T) {
	for _, lang := range Languages() {
		b, err := Load(lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range b.StepIDs() {
			p, _ := b.Step(id)
			if n := coreLines(p.Fill(sample).Core); n > paneLines {
				t.Errorf("%s/%s.md: the core text takes %d lines of %d cells: shorten it to %d lines", lang, id, n, paneCells, paneLines)
			}
		}
	}
}
