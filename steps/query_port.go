package steps

import "context"

// queryPort asks for the LID, the link layer and the MTU of the port, and
// refuses a port that cannot carry a ping-pong.
func queryPort(_ context.Context, e *End) error {
	attr, err := e.Context.QueryPort(uint8(e.Opts.IBPort))
	if err != nil {
		return err
	}
	e.Port = &attr
	if err := usablePort(e.say(), e.Context.Name(), e.Opts.IBPort, &attr); err != nil {
		return err
	}
	if err := e.fitsPort(&attr); err != nil {
		return err
	}
	e.MTU = e.clampMTU(attr.ActiveMTU)
	return nil
}
