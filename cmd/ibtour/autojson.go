package main

import (
	"encoding/json"
	"errors"
	"io"

	"ibtour/steps"
	"ibtour/verbs/trace"
)

// autoJSON prints a run at full speed as one JSON document.
type autoJSON struct {
	out io.Writer
	doc struct {
		Tour    string         `json:"tour"`
		Device  string         `json:"device"`
		Note    string         `json:"note,omitempty"`
		Options map[string]any `json:"options"`
		Ends    []*autoEnd     `json:"ends"`
		Capture *trace.Capture `json:"capture,omitempty"`
		Error   string         `json:"error,omitempty"`
		Status  int            `json:"exit_status"`
	}
}

// autoEnd is what one end has to report.
type autoEnd struct {
	Role      steps.Role       `json:"end"`
	Addresses *steps.Addresses `json:"addresses,omitempty"`
	Notes     []string         `json:"notes,omitempty"`
	Figures   *autoFigures     `json:"figures,omitempty"`
}

// autoFigures adds the figures of ibv_rc_pingpong to the distribution.
type autoFigures struct {
	*steps.Figures
	Bytes       int64   `json:"bytes_both_directions"`
	MbitPerSec  float64 `json:"mbit_per_sec_both_directions"`
	UsecPerIter float64 `json:"usec_per_round_trip"`
}

func newAutoJSON(out io.Writer, o *steps.Options) *autoJSON {
	a := &autoJSON{out: out}
	a.doc.Tour, a.doc.Device = steps.RCPingPong.Name, o.Device
	a.doc.Options = map[string]any{
		"size": o.Size, "mtu": o.MTU, "rx_depth": o.RxDepth, "iters": o.Iters, "sl": o.SL,
		"events": o.Events, "check": o.Check, "ib_port": o.IBPort,
	}
	return a
}

func (a *autoJSON) note(text string) { a.doc.Note = text }

func (a *autoJSON) event(ev steps.Event) {
	if c, ok := ev.Detail.(trace.Capture); ok {
		a.doc.Capture = &c
	}
	if ev.End == "" {
		return
	}
	e := a.end(ev.End)
	switch ev.Kind {
	case steps.Noticed:
		e.Notes = append(e.Notes, ev.Text)
	case steps.Met:
		e.Addresses = ev.Address
	case steps.Measured:
		f := ev.Figures
		e.Figures = &autoFigures{f, f.Bytes(), f.MbitPerSec(), f.UsecPerIter()}
	case steps.RunStarted, steps.StepStarted, steps.CallStarted, steps.CallDone, steps.CallRepeated, steps.Progressed,
		steps.StateChanged, steps.Completed, steps.StepDone, steps.Stopping, steps.RunDone, steps.PacketSeen, steps.Captured:
	}
}

func (a *autoJSON) end(r steps.Role) *autoEnd {
	for _, e := range a.doc.Ends {
		if e.Role == r {
			return e
		}
	}
	e := &autoEnd{Role: r}
	a.doc.Ends = append(a.doc.Ends, e)
	return e
}

func (a *autoJSON) close(err error) error {
	a.doc.Status = status(err)
	if err != nil {
		a.doc.Error = oneLine(err)
	}
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	return errors.Join(err, enc.Encode(&a.doc))
}
