package kernel

// Watching observes the calling thread, from Watch to End.
type Watching struct {
	before surroundings
	perf   *perf
	failed *WatchError
}

// Watch begins to observe the system calls of the calling thread, its RDMA
// files and their mappings, for one call. The caller stays on its thread
// (runtime.LockOSThread) until End. What cannot be observed is said in
// Seen.Unwatched.
//
// System calls are seen through the tracepoints raw_syscalls:sys_enter and
// sys_exit (perf_event_open(2)) of this thread alone; it takes root or
// CAP_PERFMON, and a tracefs that can be read. Each costs some microseconds
// while it is observed.
func Watch() *Watching {
	w := &Watching{before: readSurroundings()}
	w.perf, w.failed = openPerf()
	if w.failed == nil {
		w.failed = w.perf.start()
	}
	return w
}

// End ends the observation and returns what was seen.
func (w *Watching) End() *Seen {
	s := &Seen{Unwatched: w.failed}
	var all []crossing
	var own []int
	if w.perf != nil {
		all, s.Lost = w.perf.stop()
		own = w.perf.fds()
	}
	after := readSurroundings()
	s.compare(w.before, after)
	s.sort(all, w.before, after, own)
	if w.perf != nil {
		w.perf.close()
	}
	return s
}
