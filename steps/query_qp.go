package steps

import (
	"context"

	"ibtour/verbs"
)

// queryQP reads the capacity granted. A message that fits the granted inline
// data is copied into the work request instead of being fetched by the adapter.
func queryQP(_ context.Context, e *End) error {
	attr, err := e.QP.Query(verbs.AttrCap)
	if err != nil {
		return err
	}
	e.Inline = int(attr.Cap.MaxInlineData) >= e.Opts.Size
	return nil
}
