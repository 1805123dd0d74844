package kernel

// System is how RDMA is set up on this machine (rdma-system(8)).
type System struct {
	// SharedNetns tells that every network namespace sees every RDMA device, the
	// default. Otherwise a device belongs to one namespace (mode "exclusive").
	SharedNetns bool
	// CopyOnFork tells that the kernel copies pinned pages on fork, so that
	// ibv_fork_init is not needed (Linux 5.12).
	CopyOnFork bool
}

// ReadSystem returns the settings of the RDMA subsystem. Errors are those of
// ReadResources.
func ReadSystem() (System, error) {
	c, err := dial()
	if err != nil {
		return System{}, err
	}
	defer c.close()
	b, err := c.get(cmdSysGet, nil)
	if err != nil {
		return System{}, err
	}
	return parseSystem(b)
}

func parseSystem(b []byte) (System, error) {
	var s System
	err := parseAttrs(b, func(d *decoder) {
		switch d.Type() {
		case attrNetnsMode:
			s.SharedNetns = d.Uint8() == 1
		case attrCopyOnFork:
			s.CopyOnFork = d.Uint8() == 1
		}
	})
	return s, err
}
