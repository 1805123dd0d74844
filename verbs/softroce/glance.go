package softroce

// glances decides whether a program that polls looks at the socket for a
// moment without sleeping. Where every end has a processor of its own, a
// message is there sooner than the operating system could wake anybody up.
// Where processors are few, the peer needs the one that looking would burn. What
// it is like is only found out by trying: after a moment in vain, ever more
// waits are spent asleep before the next try.
type glances struct {
	skip int // waits until the next try
	vain int // waits that the next failure costs
}

const (
	// glanceMost is how many times a moment looks.
	glanceMost = 40
	// glanceVainMost is the most waits that a failure costs.
	glanceVainMost = 1024
)

// tries reports whether to look this time.
func (g *glances) tries() bool {
	if g.skip > 0 {
		g.skip--
		return false
	}
	return true
}

// tried notes what looking has brought.
func (g *glances) tried(found bool) {
	if found {
		g.vain = 0
		return
	}
	g.vain = min(2*g.vain+1, glanceVainMost)
	g.skip = g.vain
}
