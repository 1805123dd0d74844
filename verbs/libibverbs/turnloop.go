//go:build linux && !android && (amd64 || arm64)

package libibverbs

import "ibtour/verbs"

// NewTurnLoop returns the loop of package verbs.
func (c *deviceContext) NewTurnLoop(spec verbs.TurnSpec) (verbs.TurnLoop, error) {
	return verbs.NewTurnLoop(c, spec), nil
}
