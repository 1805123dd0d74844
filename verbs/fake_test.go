package verbs_test

import (
	"fmt"
	"testing"

	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// fake is a device that notes what it is asked and answers from a script. A
// call that is not written here panics.
type fake struct {
	verbs.DriverContext
	log   []string
	fail  map[string]error // by the name of the method
	polls [][]verbs.WC     // what each poll brings; an empty one when used up
	event func() error     // in GetCQEvent
	loop  verbs.TurnLoop   // nil: the one of this package
	made  int
}

// did notes a call and returns the error the script has for it.
func (f *fake) did(op string) error {
	f.log = append(f.log, op)
	return f.fail[op]
}

func (f *fake) handle(kind string) verbs.Handle {
	f.made++
	return fmt.Sprint(kind, f.made)
}

func (f *fake) DeviceList() (verbs.List, error) { return f, f.did("DeviceList") }
func (f *fake) Free()                           { _ = f.did("Free") }
func (f *fake) Close() error                    { return f.did("Close") }
func (f *fake) FDs() verbs.FDs                  { return verbs.FDs{Cmd: 5, Async: 6} }

func (f *fake) Devices() []verbs.DeviceInfo {
	return []verbs.DeviceInfo{{Name: "fake0"}, {Name: "fake1"}}
}

func (f *fake) Open(int) (verbs.DriverContext, error) { return f, f.did("Open") }

func (f *fake) QueryDevice() (verbs.DeviceAttr, error) {
	return verbs.DeviceAttr{FWVer: "1"}, f.did("QueryDevice")
}

func (f *fake) QueryPort(uint8) (verbs.PortAttr, error) {
	return verbs.PortAttr{GIDTblLen: 3}, f.did("QueryPort")
}

func (f *fake) QueryGID(_ uint8, index int) (verbs.GIDEntry, error) {
	return verbs.GIDEntry{GID: verbs.GID{15: byte(index)}, Index: index}, f.did(fmt.Sprint("QueryGID ", index))
}

func (f *fake) AllocPD() (verbs.Handle, error) { return f.handle("pd"), f.did("AllocPD") }
func (f *fake) DeallocPD(verbs.Handle) error   { return f.did("DeallocPD") }
func (f *fake) DeregMR(verbs.Handle) error     { return f.did("DeregMR") }

func (f *fake) Peek(dst, src []byte)               { copy(dst, src) }
func (f *fake) Booked() (bytes int64, counts bool) { return 12288, true }

func (f *fake) RegMR(verbs.Handle, *verbs.Buffer, verbs.AccessFlags) (verbs.Handle, verbs.KeyPair, error) {
	return f.handle("mr"), verbs.KeyPair{LKey: 0x842, RKey: 0x843}, f.did("RegMR")
}

func (f *fake) CreateCompChannel() (verbs.Handle, int, error) {
	return f.handle("channel"), 7, f.did("CreateCompChannel")
}
func (f *fake) DestroyCompChannel(verbs.Handle) error { return f.did("DestroyCompChannel") }

func (f *fake) CreateCQ(cqe int, _ verbs.Handle, _ int) (verbs.Handle, int, error) {
	return f.handle("cq"), cqe + 1, f.did("CreateCQ")
}
func (f *fake) DestroyCQ(verbs.Handle) error         { return f.did("DestroyCQ") }
func (f *fake) ReqNotifyCQ(verbs.Handle, bool) error { return f.did("ReqNotifyCQ") }
func (f *fake) AckCQEvents(_ verbs.Handle, n int)    { _ = f.did(fmt.Sprint("AckCQEvents ", n)) }

func (f *fake) PollCQ(_ verbs.Handle, wc []verbs.WC) (int, error) {
	if err := f.did("PollCQ"); err != nil || len(f.polls) == 0 {
		return 0, err
	}
	n := copy(wc, f.polls[0])
	f.polls = f.polls[1:]
	return n, nil
}

func (f *fake) GetCQEvent(_ verbs.Handle, stop <-chan struct{}) (verbs.Handle, error) {
	if f.event != nil {
		if err := f.event(); err != nil {
			return nil, err
		}
	}
	select {
	case <-stop:
		return nil, verbs.ErrStopped
	default:
		return "cq2", f.did("GetCQEvent") // the queue that connected makes
	}
}

func (f *fake) CreateQP(init *verbs.QPInit) (verbs.Handle, verbs.QPN, verbs.QPCap, error) {
	return f.handle("qp"), 0x11, init.Cap, f.did("CreateQP")
}
func (f *fake) DestroyQP(verbs.Handle) error { return f.did("DestroyQP") }

func (f *fake) ModifyQP(verbs.Handle, *verbs.QPAttr, verbs.AttrMask) error { return f.did("ModifyQP") }

func (f *fake) QueryQP(verbs.Handle, verbs.AttrMask) (verbs.QPAttr, error) {
	return verbs.QPAttr{State: verbs.QPSErr}, f.did("QueryQP")
}

func (f *fake) GetAsyncEvent(stop <-chan struct{}) (verbs.AsyncEvent, error) {
	<-stop
	return verbs.AsyncEvent{}, verbs.ErrStopped
}
func (f *fake) AckAsyncEvent(verbs.AsyncEvent) { _ = f.did("AckAsyncEvent") }

func (f *fake) NewTurnLoop(spec verbs.TurnSpec) (verbs.TurnLoop, error) {
	if f.loop != nil {
		return f.loop, f.did("NewTurnLoop")
	}
	return verbs.NewTurnLoop(f, spec), f.did("NewTurnLoop")
}

func (f *fake) PostSend(verbs.Handle, *verbs.SendWR) error { return f.did("PostSend") }
func (f *fake) PostRecv(verbs.Handle, *verbs.RecvWR) error { return f.did("PostRecv") }

// quiet is a fake whose data path takes no notes, to count allocations.
type quiet struct{ *fake }

func (quiet) PostSend(verbs.Handle, *verbs.SendWR) error { return nil }
func (quiet) PostRecv(verbs.Handle, *verbs.RecvWR) error { return nil }

func (quiet) PollCQ(_ verbs.Handle, wc []verbs.WC) (int, error) {
	wc[0] = verbs.WC{WRID: 1, Opcode: verbs.WCRecv, QPN: 0x11}
	return 1, nil
}

func (q quiet) DeviceList() (verbs.List, error)       { return q, nil }
func (q quiet) Open(int) (verbs.DriverContext, error) { return q, nil }

// objects is one of each, on a device.
type objects struct {
	ctx *verbs.Context
	ch  *verbs.CompChannel
	cq  *verbs.CQ
	pd  *verbs.PD
	buf *verbs.Buffer
	mr  *verbs.MR
	qp  *verbs.QP
}

// build makes one of each kind of object on the first device of a driver.
func build(t *testing.T, d verbs.Driver, tracer trace.Tracer) *objects {
	t.Helper()
	o := &objects{}
	list, err := verbs.GetDeviceList(d, tracer)
	must(t, err)
	o.ctx, err = list.Open("")
	must(t, err)
	must(t, list.Free())
	o.ch, err = o.ctx.CreateCompChannel()
	must(t, err)
	o.cq, err = o.ctx.CreateCQ(10, o.ch)
	must(t, err)
	o.pd, err = o.ctx.AllocPD()
	must(t, err)
	o.buf, err = verbs.AllocBuffer(4096)
	must(t, err)
	o.mr, err = o.pd.RegMR(o.buf, verbs.AccessLocalWrite)
	must(t, err)
	o.qp, err = o.pd.CreateQP(o.config())
	must(t, err)
	t.Cleanup(func() {
		must(t, o.ctx.CloseAll())
		must(t, o.buf.Free())
	})
	return o
}

func (o *objects) config() verbs.QPConfig {
	return verbs.QPConfig{
		SendCQ: o.cq, RecvCQ: o.cq, Type: verbs.QPTRC,
		Cap: verbs.QPCap{MaxSendWR: 2, MaxRecvWR: 4, MaxSendSGE: 1, MaxRecvSGE: 1},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
