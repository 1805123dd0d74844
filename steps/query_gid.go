package steps

import "context"

// queryGID reads the entry of the GID table that the peer will know us by. On
// Ethernet there is always one; on InfiniBand only if -g asks for it.
func queryGID(_ context.Context, e *End) error {
	index, why, err := e.chooseGID()
	if err != nil || index < 0 {
		return err
	}
	gid, err := e.Context.QueryGID(uint8(e.Opts.IBPort), index)
	if err != nil {
		return withGIDs(err, e)
	}
	e.GID = &gid
	e.notify(why)
	return nil
}
