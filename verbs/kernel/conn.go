package kernel

import (
	"encoding/binary"
	"fmt"

	"github.com/mdlayher/netlink"
)

// conn asks RDMA netlink. It lives for one reading.
type conn struct {
	nl *netlink.Conn
}

func (c *conn) close() { _ = c.nl.Close() } // nothing is written, so nothing is lost

// each sends a request whose answer is any number of messages (a dump).
func (c *conn) each(cmd command, attrs []byte, f func(b []byte) error) error {
	answers, err := c.ask(cmd, netlink.Dump, attrs)
	if err != nil {
		return err
	}
	for _, m := range answers {
		if err := f(m.Data); err != nil {
			return netlinkError(cmd.String(), err)
		}
	}
	return nil
}

// get sends a request whose answer is one message.
func (c *conn) get(cmd command, attrs []byte) ([]byte, error) {
	answers, err := c.ask(cmd, 0, attrs)
	if err != nil {
		return nil, err
	}
	if len(answers) != 1 {
		return nil, netlinkError(cmd.String(), fmt.Errorf("expected 1 answer, got %d", len(answers)))
	}
	return answers[0].Data, nil
}

// ask never requests an acknowledgement: nldev would send it after the answer
// to a get, and it would be taken for the answer to the next request.
func (c *conn) ask(cmd command, flags netlink.HeaderFlags, attrs []byte) ([]netlink.Message, error) {
	m := netlink.Message{
		Header: netlink.Header{
			Type:  netlink.HeaderType(clientNLDEV<<clientShift | uint16(cmd)),
			Flags: netlink.Request | flags,
		},
		Data: attrs,
	}
	answers, err := c.nl.Execute(m)
	return answers, netlinkError(cmd.String(), err)
}

// list appends what a dump about a device contains to all.
func list[T any](c *conn, cmd command, index uint32, all *[]T, parse func([]byte) ([]T, error)) error {
	return c.each(cmd, deviceAttr(index), func(b []byte) error {
		some, err := parse(b)
		*all = append(*all, some...)
		return err
	})
}

// listNew is list for a command that older kernels do not have.
func listNew[T any](c *conn, cmd command, index uint32, all *[]T, parse func([]byte) ([]T, error)) error {
	err := list(c, cmd, index, all, parse)
	if unknownCommand(err) {
		return nil
	}
	return err
}

// firstError runs the calls up to the first that fails.
func firstError(calls ...func() error) error {
	for _, call := range calls {
		if err := call(); err != nil {
			return err
		}
	}
	return nil
}

func deviceAttr(index uint32) []byte { return u32Attr(nil, attrDevIndex, index) }

func portAttr(index uint32, port int) []byte {
	return u32Attr(deviceAttr(index), attrPortIndex, uint32(port))
}

// u32Attr appends a struct nlattr and its value, all in the machine's order.
func u32Attr(b []byte, number uint16, value uint32) []byte {
	b = binary.NativeEndian.AppendUint16(b, 8) // nla_len counts itself
	b = binary.NativeEndian.AppendUint16(b, number)
	return binary.NativeEndian.AppendUint32(b, value)
}
