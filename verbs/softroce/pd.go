package softroce

// pd is a protection domain: regions and queue pairs of one can be used
// together, and with nothing else (IBTA vol. 1, 10.2.3).
type pd struct {
	ctx      *devContext
	children int // regions and queue pairs
	dead     bool
}

func (d *device) allocPD(ctx *devContext) (*pd, error) {
	if d.counts.pd >= maxPD {
		return nil, errNoMem
	}
	d.counts.pd++
	p := &pd{ctx: ctx}
	ctx.pds[p] = struct{}{}
	return p, nil
}

func (d *device) deallocPD(p *pd) error {
	if p.children > 0 {
		return errBusy
	}
	p.dead = true
	d.counts.pd--
	delete(p.ctx.pds, p)
	return nil
}
