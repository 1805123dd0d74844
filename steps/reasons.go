package steps

import (
	"errors"
	"fmt"
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
func withKernel(err error) error {
	return hint(err, syscall.ENOSYS, "this kernel has no RDMA: no driver of an RDMA device is loaded; "+
		"soft0 works everywhere (-d soft0)")
}

// withDevices names the devices there are when another was asked for.
func withDevices(err error, list []verbs.DeviceInfo) error {
	err = hint(err, syscall.EACCES, "the device file may not be opened: its usual mode is 0666 (udev rules of rdma-core)")
	if !errors.Is(err, verbs.ErrNoDevice) {
		return err
	}
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = d.Name
	}
	return fmt.Errorf("%w; there is: %s", err, strings.Join(names, ", "))
}

// UsableDevice refuses a kind of device that cannot run this ping-pong.
func UsableDevice(d verbs.DeviceInfo) error {
	if d.NodeType != verbs.NodeRNIC {
		return nil
	}
	return fmt.Errorf("%s is an iWARP adapter: its queue pairs are connected by librdmacm over TCP, "+
		"so this ping-pong, which connects them by hand, cannot run on it; use rping", d.Name)
}

func withMemlock(err error, size int) error {
	err = hint(err, syscall.ENOMEM, fmt.Sprintf(
		"%d bytes exceed what this process may pin (ulimit -l; raise memlock in /etc/security/limits.conf)", size))
	return hint(err, syscall.EPERM, "this process may pin no memory (ulimit -l is 0)")
}

// withLimits compares a refused creation with the limits of the device.
func withLimits(err error, e *End) error {
	if !errors.Is(err, syscall.EINVAL) {
		return err
	}
	attr, qerr := e.Context.PeekDevice()
	switch depth := e.Opts.RxDepth; {
	case qerr != nil:
	case depth+1 > attr.MaxCQE:
		return hint(err, syscall.EINVAL, fmt.Sprintf(
			"a queue of %d completions was asked for and %s has at most %d: choose -r %d or less",
			depth+1, e.Context.Name(), attr.MaxCQE, attr.MaxCQE-1))
	case depth > attr.MaxQPWR:
		return hint(err, syscall.EINVAL, fmt.Sprintf(
			"%d receives were asked for and a queue of %s has at most %d: choose -r %d or less",
			depth, e.Context.Name(), attr.MaxQPWR, attr.MaxQPWR))
	}
	return err
}

// withPorts names the ports there are when another was asked for.
func withPorts(err error, e *End) error {
	attr, qerr := e.Context.PeekDevice()
	if err == nil || qerr != nil || e.Opts.IBPort <= int(attr.PhysPortCnt) {
		return err
	}
	return hint(err, syscall.EINVAL, fmt.Sprintf("%s has no port %d: it has %d (-i)",
		e.Context.Name(), e.Opts.IBPort, attr.PhysPortCnt))
}

// withRoute explains why a queue pair could not be given its peer's address.
func withRoute(err error, e *End) error {
	to := "the peer"
	if e.Peer != nil {
		to = e.Peer.GID.String()
	}
	err = hint(err, syscall.ETIMEDOUT, to+" does not answer neighbour discovery: is its host up, on this network?")
	err = hint(err, syscall.ENETUNREACH, "there is no route to "+to)
	err = hint(err, syscall.EHOSTUNREACH, "there is no way to reach "+to)
	return hint(err, syscall.ENODEV, "the route to "+to+" leaves through another interface than this port's")
}

// UsablePort refuses a port that cannot carry a ping-pong, before anything is
// told to the peer.
func UsablePort(dev string, port int, a *verbs.PortAttr) error {
	name := fmt.Sprintf("%s port %d", dev, port)
	switch {
	case a.State != verbs.PortActive:
		return fmt.Errorf("%s is not active but %v, physically %v: %s", name, a.State, a.PhysState, inactiveReason(a))
	case a.LinkLayer == verbs.LinkInfiniBand && a.LID == 0:
		return fmt.Errorf("%s has no LID: no subnet manager has configured it; start opensm on one host of the fabric", name)
	}
	return nil
}

// fitsPort refuses a message that the port cannot carry.
func fitsPort(dev string, port int, a *verbs.PortAttr, size int) error {
	if a.MaxMsgSz == 0 || uint64(size) <= uint64(a.MaxMsgSz) {
		return nil
	}
	return fmt.Errorf("%s port %d carries messages of at most %d bytes, not %d: choose a smaller -s",
		dev, port, a.MaxMsgSz, size)
}

func inactiveReason(a *verbs.PortAttr) string {
	switch {
	case a.PhysState == verbs.PhysDisabled:
		return "its network interface is down (ip link set … up)"
	case a.PhysState != verbs.PhysLinkUp:
		return "it has no link: check the cable and the other end"
	case a.LinkLayer == verbs.LinkInfiniBand:
		return "a subnet manager has yet to activate it (opensm)"
	}
	return "wait for it, or choose another port (-i)"
}

// clampMTU returns the path MTU to use: what was asked for, but no more than
// the port can carry. A larger one would be accepted by some devices and then
// lose every full packet.
func (e *End) clampMTU(active verbs.MTU) verbs.MTU {
	asked, _ := verbs.MTUOf(e.Opts.MTU) // Options.Validate has seen it
	if active != 0 && asked > active {
		e.notify(fmt.Sprintf("path MTU %d instead of %d: the port carries no more", active.Bytes(), asked.Bytes()))
		return active
	}
	return asked
}

func plenty(posted int) string {
	return fmt.Sprintf("nothing to refill: %d receives are still posted, and the rule refills when 1 is left", posted)
}
