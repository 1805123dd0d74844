package kernel

import (
	"fmt"

	"github.com/mdlayher/netlink"
)

// decoder walks the attributes of one level of a message. It keeps the first
// error and reads zeros from then on; unknown attributes are passed over, as
// newer kernels send more.
type decoder = netlink.AttributeDecoder

// parseAttrs calls field for every attribute of a message.
func parseAttrs(b []byte, field func(d *decoder)) error {
	d, err := netlink.NewAttributeDecoder(b)
	if err == nil {
		err = each(d, field)
	}
	if err != nil {
		return fmt.Errorf("reply not understood: %w", err)
	}
	return nil
}

// parseTable reads the table of a message: an attribute that contains one
// attribute numbered item for each object. A message without a table is
// an empty one.
func parseTable[T any](b []byte, table, item uint16, field func(*T, *decoder)) ([]T, error) {
	var all []T
	entry := func(d *decoder) error {
		var one T
		if err := each(d, func(d *decoder) { field(&one, d) }); err != nil {
			return err
		}
		all = append(all, one)
		return nil
	}
	err := parseAttrs(b, func(d *decoder) {
		if d.Type() != table {
			return
		}
		d.Nested(func(d *decoder) error {
			return each(d, func(d *decoder) {
				if d.Type() == item {
					d.Nested(entry)
				}
			})
		})
	})
	return all, err
}

func each(d *decoder, field func(d *decoder)) error {
	for d.Next() {
		field(d)
	}
	return d.Err()
}
