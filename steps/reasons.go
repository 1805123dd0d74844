package steps

import (
	"errors"
	"strings"
	"syscall"

	"ibtour/verbs"
)

// What a failed verb most likely means here, and what to do: the reason an
// errno leaves out.

// hint gives the reason of a failed verb, if err carries errno.
func hint(err error, errno syscall.Errno, text string) error {
	var verr *verbs.Error
	if errors.Is(err, errno) && errors.As(err, &verr) {
		verr.Hint = text
	}
	return err
}

// withKernel explains why there can be no list of devices.
func withKernel(err error, e *End) error {
	return hint(err, syscall.ENOSYS, e.say().noKernel.With())
}

// withDevices names the devices there are when another was asked for.
func withDevices(err error, e *End) error {
	err = hint(err, syscall.EACCES, e.say().mode.With())
	if !errors.Is(err, verbs.ErrNoDevice) {
		return err
	}
	var names []string
	for _, d := range e.List.Devices() {
		names = append(names, d.Name)
	}
	return e.say().which.Err(err, strings.Join(names, ", "))
}

// UsableDevice refuses a kind of device that cannot run this ping-pong, in a
// language.
func UsableDevice(lang string, d verbs.DeviceInfo) error { return usableDevice(wordingIn(lang), d) }

func usableDevice(w *wording, d verbs.DeviceInfo) error {
	if d.NodeType != verbs.NodeRNIC {
		return nil
	}
	return w.iwarp.Err(d.Name)
}

func withMemlock(err error, e *End) error {
	err = hint(err, syscall.ENOMEM, e.say().memlock.With(e.Opts.Size))
	return hint(err, syscall.EPERM, e.say().memlockNone.With())
}

// withLimits compares a refused creation with the limits of the device.
func withLimits(err error, e *End) error {
	if !errors.Is(err, syscall.EINVAL) {
		return err
	}
	attr, qerr := e.Context.PeekDevice()
	switch depth, name := e.Opts.RxDepth, e.Context.Name(); {
	case qerr != nil:
	case depth+1 > attr.MaxCQE:
		return hint(err, syscall.EINVAL, e.say().completions.With(depth+1, name, attr.MaxCQE, attr.MaxCQE-1))
	case depth > attr.MaxQPWR:
		return hint(err, syscall.EINVAL, e.say().receives.With(depth, name, attr.MaxQPWR, attr.MaxQPWR))
	}
	return err
}

// withPorts names the ports there are when another was asked for.
func withPorts(err error, e *End) error {
	attr, qerr := e.Context.PeekDevice()
	if err == nil || qerr != nil || e.Opts.IBPort <= int(attr.PhysPortCnt) {
		return err
	}
	return hint(err, syscall.EINVAL, e.say().noPort.With(e.Context.Name(), e.Opts.IBPort, attr.PhysPortCnt))
}

// withRoute explains why a queue pair could not be given its peer's address.
func withRoute(err error, e *End) error {
	to := e.say().thePeer
	if e.Peer != nil {
		to = e.Peer.GID.String()
	}
	err = hint(err, syscall.ETIMEDOUT, e.say().noNeighbour.With(to))
	err = hint(err, syscall.ENETUNREACH, e.say().noNetwork.With(to))
	err = hint(err, syscall.EHOSTUNREACH, e.say().noHost.With(to))
	return hint(err, syscall.ENODEV, e.say().wrongInterface.With(to))
}

// UsablePort refuses a port that cannot carry a ping-pong, before anything is
// told to the peer.
func UsablePort(lang, dev string, port int, a *verbs.PortAttr) error {
	return usablePort(wordingIn(lang), dev, port, a)
}

func usablePort(w *wording, dev string, port int, a *verbs.PortAttr) error {
	switch {
	case a.State != verbs.PortActive:
		return w.inactive.Err(dev, port, a.State, a.PhysState, w.whyInactive(a))
	case a.LinkLayer == verbs.LinkInfiniBand && a.LID == 0:
		return w.noLID.Err(dev, port)
	}
	return nil
}

func (w *wording) whyInactive(a *verbs.PortAttr) string {
	switch {
	case a.PhysState == verbs.PhysDisabled:
		return w.whyDisabled
	case a.PhysState != verbs.PhysLinkUp:
		return w.whyNoLink
	case a.LinkLayer == verbs.LinkInfiniBand:
		return w.whyNoManager
	}
	return w.whyNotYet
}

// fitsPort refuses a message that the port cannot carry.
func (e *End) fitsPort(a *verbs.PortAttr) error {
	if a.MaxMsgSz == 0 || uint64(e.Opts.Size) <= uint64(a.MaxMsgSz) {
		return nil
	}
	return e.say().tooLong.Err(e.Context.Name(), e.Opts.IBPort, a.MaxMsgSz, e.Opts.Size)
}

// clampMTU returns the path MTU to use: what was asked for, but no more than
// the port can carry. A larger one would be accepted by some devices and then
// lose every full packet.
func (e *End) clampMTU(active verbs.MTU) verbs.MTU {
	asked, _ := verbs.MTUOf(e.Opts.MTU) // Options.Validate has seen it
	if active != 0 && asked > active {
		e.notify(e.say().clamped.With(active.Bytes(), asked.Bytes()))
		return active
	}
	return asked
}
