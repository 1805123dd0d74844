package steps

import (
	"context"
	"errors"
	"sync"
	"time"

	"ibtour/steps/exchange"
	"ibtour/verbs"
	"ibtour/verbs/trace"
)

// fill is what ibv_rc_pingpong fills its buffer with.
const fill = 0x7b

// End is one end of the connection: what the steps have made so far and carry
// to the next one. A nil field has not been made, or is destroyed again.
type End struct {
	Role Role
	Opts *Options

	driver  verbs.Driver
	tracer  trace.Tracer
	tap     *tap
	alone   bool              // the other end is in another process
	live    bool              // somebody watches the iterations
	ctx     context.Context   //nolint:containedctx // of the step being taken: the tap needs it to wait
	at      *Stop             // the step being taken
	held    time.Duration     // time the step was held at a gate
	notify  func(text string) // tells what was decided and why
	advance func(Progress)    // tells how far the iterations are
	met     func(Addresses)   // tells the addresses of both ends
	opened  verbs.DeviceInfo  // the device, also when it is closed again

	List    *verbs.DeviceList
	Context *verbs.Context
	Channel *verbs.CompChannel
	PD      *verbs.PD
	Buffer  *verbs.Buffer
	MR      *verbs.MR
	CQ      *verbs.CQ
	QP      *verbs.QP

	Port   *verbs.PortAttr
	GID    *verbs.GIDEntry // nil: none is used
	PSN    verbs.PSN
	MTU    verbs.MTU
	Inline bool // messages are copied into the work request
	Peer   *exchange.Address

	server *exchange.Server // nil on a client
	client *exchange.Client // nil on a server
	conn   meeter           // either, while the TCP connection is open

	Flow    Flow
	due     Post // what the rules asked for and no step has posted yet
	wc      [2]verbs.WC
	looking sync.Mutex
	content *Memory // of the buffer, when it was last looked at
	check   *checker
	Figures *Figures // of the iterations at full speed, once they are measured
}

// NewEnd returns an end with nothing made yet.
func NewEnd(r Role, opts *Options, d verbs.Driver) *End {
	return &End{
		Role: r, Opts: opts, driver: d,
		notify: func(string) {}, advance: func(Progress) {}, met: func(Addresses) {},
	}
}

// Address returns what the peer must know to reach this end.
func (e *End) Address() exchange.Address {
	a := exchange.Address{QPN: e.QP.Num(), PSN: e.PSN, LID: e.Port.LID}
	if e.GID != nil {
		a.GID = e.GID.GID
	}
	return a
}

// announce tells what is known of the two addresses.
func (e *End) announce() {
	a := Addresses{Local: addressText(e.Address())}
	if e.Peer != nil {
		peer := addressText(*e.Peer)
		a.Peer = &peer
	}
	e.met(a)
}

// sendWR returns the message of this end: the whole buffer.
func (e *End) sendWR() verbs.SendWR {
	wr := verbs.SendWR{
		WRID: SendID, SGList: []verbs.SGE{e.MR.SGE(0, e.Opts.Size)},
		Opcode: verbs.WRSend, Flags: verbs.SendSignaled,
	}
	if e.Inline {
		wr.Flags |= verbs.SendInline
	}
	return wr
}

// recvWR returns a receive for one message of the peer. All receives point at
// the same buffer, which is also the source of the sends: the two ends take
// turns, so only one of them writes to it at a time.
func (e *End) recvWR() verbs.RecvWR {
	return verbs.RecvWR{WRID: RecvID, SGList: []verbs.SGE{e.MR.SGE(0, e.Opts.Size)}}
}

// complete applies the rules to completions and keeps what they ask for.
func (e *End) complete(wcs []verbs.WC) error {
	for i := range wcs {
		if err := wcs[i].Err(); err != nil {
			return err
		}
		if wcs[i].WRID == RecvID {
			if err := e.check.received(&wcs[i]); err != nil {
				return err
			}
		}
		p, err := e.Flow.Complete(wcs[i].WRID)
		if err != nil {
			return e.say().order.Err(wcs[i].WRID, e.say().work[e.Flow.Expected()])
		}
		e.due.Recvs += p.Recvs
		e.due.Sends += p.Sends
	}
	return nil
}

// system makes a call to the operating system that a learner should see like
// a verb: shown before, then made, then shown with its result.
func (e *End) system(op string, args []trace.Arg, do func() (string, error)) error {
	return verbs.Traced(e.tracer, &trace.Call{Layer: trace.System, Op: op, Args: args}, do)
}

// begin starts the exchange: the receives are posted.
func (e *End) begin() {
	e.Flow = Flow{Iters: e.Opts.Iters, Depth: e.Opts.RxDepth}
	e.due = e.Flow.Start(e.Role)
	if e.Opts.Check {
		e.check = newChecker(e.Role, e.Buffer)
		e.check.lang = e.Opts.Lang
	}
}

// takeFigures returns the figures once.
func (e *End) takeFigures() *Figures {
	f := e.Figures
	e.Figures = nil
	return f
}

func (e *End) progress() Progress {
	e.Figures.summarise()
	return Progress{Role: e.Role, Done: e.Flow.Received, Total: e.Opts.Iters, RoundTrip: e.Figures.RoundTrip}
}

// abandon frees whatever is left of an end, each object before what it
// depends on. After an orderly tear-down there is nothing.
func (e *End) abandon() error {
	errs := []error{e.hangUp()}
	if e.Context != nil {
		errs = append(errs, e.Context.CloseAll())
		e.QP, e.CQ, e.MR, e.PD, e.Channel, e.Context = nil, nil, nil, nil, nil, nil
	}
	if e.Buffer != nil {
		errs = append(errs, e.Buffer.Free())
	}
	if e.List != nil {
		errs = append(errs, e.List.Free())
	}
	e.Buffer, e.List = nil, nil
	return errors.Join(errs...)
}
