package kernel

import (
	"io/fs"
	"slices"
)

// Resources is the kernel's record of what is allocated on a device, as
// rdma-resource(8) shows it. A pointer that is nil is an attribute that the
// kernel did not report.
type Resources struct {
	Device string
	// Summary counts the objects of everybody, the kernel's own included.
	Summary  []Count
	Contexts []Context
	PDs      []PD
	MRs      []MR
	CQs      []CQ
	QPs      []QP //nolint:staticcheck // the plural of QP, not the initialism QPS
	SRQs     []SRQ
	CMIDs    []CMID
}

// ReadResources returns the record of the objects that belong to process pid,
// or with pid 0 of all objects on the device, the kernel's own included
// (Owner.ByKernel). An object made in a pid namespace that the caller does not
// see into has an owner without numbers.
//
// Nobody needs privileges for it, but memory keys are reported only to
// CAP_NET_ADMIN. Contexts and SRQs need Linux 5.14, before that both are empty.
// The error wraps ErrNoRDMA where the kernel has no RDMA, verbs.ErrNoDevice
// when no device has that name, fs.ErrPermission when a sandbox forbids it.
func ReadResources(dev string, pid int) (Resources, error) {
	proc, err := procRoot()
	if err != nil {
		return Resources{}, err
	}
	c, err := dial()
	if err != nil {
		return Resources{}, err
	}
	defer c.close()
	return c.resources(proc, dev, pid)
}

func (c *conn) resources(proc fs.FS, dev string, pid int) (Resources, error) {
	r := Resources{Device: dev}
	device, err := c.device(dev)
	if err != nil {
		return r, err
	}
	index := device.Index
	err = firstError(
		func() error { return list(c, cmdResGet, index, &r.Summary, parseSummary) },
		func() error { return listNew(c, cmdResCtxGet, index, &r.Contexts, parseContexts) },
		func() error { return list(c, cmdResPDGet, index, &r.PDs, parsePDs) },
		func() error { return list(c, cmdResMRGet, index, &r.MRs, parseMRs) },
		func() error { return list(c, cmdResCQGet, index, &r.CQs, parseCQs) },
		func() error { return list(c, cmdResQPGet, index, &r.QPs, parseQueuePairs) },
		func() error { return listNew(c, cmdResSRQGet, index, &r.SRQs, parseSRQs) },
		func() error { return list(c, cmdResCMGet, index, &r.CMIDs, parseCMIDs) },
	)
	if err != nil {
		return Resources{Device: dev}, err
	}
	r.attribute(threadGroups(proc))
	if pid != 0 {
		r.keep(func(o Owner) bool { return o.PID == pid })
	}
	return r, nil
}

// Objects returns how many of the listed objects belong to processes: 0 after
// a clean end.
func (r *Resources) Objects() int {
	n := 0
	for _, o := range r.owners() {
		if !o.ByKernel() {
			n++
		}
	}
	return n
}

// keep drops the objects whose owner does not pass.
func (r *Resources) keep(pass func(Owner) bool) {
	r.Contexts = slices.DeleteFunc(r.Contexts, func(x Context) bool { return !pass(x.Owner) })
	r.PDs = slices.DeleteFunc(r.PDs, func(x PD) bool { return !pass(x.Owner) })
	r.MRs = slices.DeleteFunc(r.MRs, func(x MR) bool { return !pass(x.Owner) })
	r.CQs = slices.DeleteFunc(r.CQs, func(x CQ) bool { return !pass(x.Owner) })
	r.QPs = slices.DeleteFunc(r.QPs, func(x QP) bool { return !pass(x.Owner) })
	r.SRQs = slices.DeleteFunc(r.SRQs, func(x SRQ) bool { return !pass(x.Owner) })
	r.CMIDs = slices.DeleteFunc(r.CMIDs, func(x CMID) bool { return !pass(x.Owner) })
}

// owners lists the owner of every object.
func (r *Resources) owners() []*Owner {
	var all []*Owner
	for i := range r.Contexts {
		all = append(all, &r.Contexts[i].Owner)
	}
	for i := range r.CMIDs {
		all = append(all, &r.CMIDs[i].Owner)
	}
	for _, l := range slices.Concat(r.contextChildren(), r.pdChildren()) {
		all = append(all, l.owner)
	}
	return all
}

// contextChildren lists what depends directly on a context.
func (r *Resources) contextChildren() []relation {
	var all []relation
	for i := range r.PDs {
		all = append(all, relation{&r.PDs[i].Owner, r.PDs[i].CtxN})
	}
	for i := range r.CQs {
		all = append(all, relation{&r.CQs[i].Owner, r.CQs[i].CtxN})
	}
	return all
}

// pdChildren lists what depends directly on a protection domain.
func (r *Resources) pdChildren() []relation {
	var all []relation
	for i := range r.MRs {
		all = append(all, relation{&r.MRs[i].Owner, r.MRs[i].PDN})
	}
	for i := range r.QPs {
		all = append(all, relation{&r.QPs[i].Owner, r.QPs[i].PDN})
	}
	for i := range r.SRQs {
		all = append(all, relation{&r.SRQs[i].Owner, r.SRQs[i].PDN})
	}
	return all
}
