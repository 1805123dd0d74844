package kernel

import (
	"io/fs"
	"strconv"
)

// ID is the kernel's own number for an object (restrack id). Objects refer to
// each other by it; it is not the handle that libibverbs holds.
type ID uint32

// Owner says who made an object.
//
// The kernel keeps the thread, not the process, and forgets it when the thread
// ends, although the object lives on. ReadResources looks up the process of the
// thread, and where the thread is gone, takes the process from the objects that
// the object depends on or that depend on it.
type Owner struct {
	// TID is the thread that made the object, 0 for an object of the kernel, when
	// that thread has ended, or when the reader's pid namespace does not have it.
	TID int
	// PID is the process (thread group) of the object, 0 for an object of the
	// kernel or when it could not be found out.
	PID int
	// Kernel is the name of the kernel module that made the object, such as
	// "ib_core", empty for an object of a process.
	Kernel string
}

// ByKernel reports whether the kernel made the object for itself.
func (o Owner) ByKernel() bool { return o.Kernel != "" }

func (o *Owner) field(d *decoder) {
	switch d.Type() {
	case attrPID:
		o.TID = int(d.Uint32())
	case attrKernelName:
		o.Kernel = d.String()
	}
}

// threadGroups returns a function from threads to processes. It remembers its
// answers, so it must not outlive one reading. A thread that is gone, or hidden
// (proc(5), hidepid), has process 0.
func threadGroups(proc fs.FS) func(tid int) int {
	known := map[int]int{0: 0}
	return func(tid int) int {
		pid, ok := known[tid]
		if !ok {
			status, err := readStatus(proc, tid)
			if err == nil {
				pid, _ = strconv.Atoi(status["Tgid"])
			}
			known[tid] = pid
		}
		return pid
	}
}

// attribute fills in the process of every object: from its thread, else from
// its relatives, first from children to parents and then back.
func (r *Resources) attribute(process func(tid int) int) {
	for _, o := range r.owners() {
		o.PID = process(o.TID)
	}
	var pds, contexts []relation
	for i := range r.PDs {
		pds = append(pds, relation{&r.PDs[i].Owner, &r.PDs[i].PDN})
	}
	for i := range r.Contexts {
		contexts = append(contexts, relation{&r.Contexts[i].Owner, &r.Contexts[i].CtxN})
	}
	inherit(pds, r.pdChildren())
	inherit(contexts, r.contextChildren())
	inherit(r.contextChildren(), contexts)
	inherit(r.pdChildren(), pds)
}

// relation is an object and the number that ties it to its relatives.
type relation struct {
	owner *Owner
	id    *ID // nil when the kernel did not report it
}

// inherit gives the objects without a known process that of the relatives with
// the same number.
func inherit(heirs, relatives []relation) {
	known := map[ID]int{}
	for _, r := range relatives {
		if r.id != nil && r.owner.PID != 0 {
			known[*r.id] = r.owner.PID
		}
	}
	for _, h := range heirs {
		if h.id != nil && h.owner.PID == 0 && !h.owner.ByKernel() {
			h.owner.PID = known[*h.id]
		}
	}
}
