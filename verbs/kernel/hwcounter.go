package kernel

import (
	"fmt"

	"ibtour/verbs"
)

// Counter is one named counter of a port.
type Counter struct {
	Name  string
	Value uint64
}

// ReadHWCounters returns the counters that the driver keeps for a port, in the
// driver's order (rdma-statistic(8)). Unlike the files of sysfs, which repeat
// old values for 10 ms and more (their file "lifespan"), the answer is asked of
// the driver at that moment. A driver that keeps none gives none. The error
// wraps verbs.ErrNoDevice when there is no such device or port, and is otherwise
// as that of ReadResources.
func ReadHWCounters(dev string, port int) ([]Counter, error) {
	c, err := dial()
	if err != nil {
		return nil, err
	}
	defer c.close()
	return c.counters(dev, port)
}

func (c *conn) counters(dev string, port int) ([]Counter, error) {
	device, err := c.device(dev)
	if err != nil {
		return nil, err
	}
	if port < 1 || port > int(device.Ports) {
		return nil, fmt.Errorf("port %d of RDMA device %q: %w", port, dev, verbs.ErrNoDevice)
	}
	b, err := c.get(cmdStatGet, portAttr(device.Index, port))
	if unknownCommand(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseCounters(b)
}

func parseCounters(b []byte) ([]Counter, error) {
	return parseTable(b, attrStatTable, attrStatItem, (*Counter).field)
}

func (c *Counter) field(d *decoder) {
	switch d.Type() {
	case attrStatName:
		c.Name = d.String()
	case attrStatValue:
		c.Value = d.Uint64()
	}
}
